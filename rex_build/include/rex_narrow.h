/* _Float16 and __bf16 are stored in 16 bits and computed with as float. Results are rounded when they are stored, passed
 * or cast. gcc does the same in C if the processor cannot compute with them (-fexcess-precision=fast, the default); what
 * C++ does is in rex_cxx_device.h. Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

/* The upper half of a float. */
struct rex_bfloat_format {
    static constexpr float least_normal = FLT_MIN;
    REX_FN float widen(unsigned short bits) { return as_float(static_cast<unsigned int>(bits) << 16); }
    REX_FN unsigned short round(float value)
    {
        const unsigned int bits = as_bits(value);
        const unsigned int rounded = value != value ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u);
        return static_cast<unsigned short>(rounded >> 16);
    }
    /* Goes through the next float towards zero. Its last bit is set if anything was cut off, so only one step rounds. */
    REX_FN unsigned short round(double value)
    {
        const float near = static_cast<float>(value);
        if (near == value || value != value)
            return round(near);
        return round(as_float((as_bits(near) - (fabs(static_cast<double>(near)) > fabs(value))) | 1u));
    }

  private:
    REX_FN float as_float(unsigned int bits)
    {
        float value;
        memcpy(&value, &bits, sizeof bits);
        return value;
    }
    REX_FN unsigned int as_bits(float value)
    {
        unsigned int bits;
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
};

template <class Format>
struct rex_narrow {
    unsigned short bits;

    rex_narrow() = default;
    template <class V>
    __device__ rex_narrow(V value)
        : bits(Format::round(static_cast<rex_conditional<rex_is_same<V, float>, float, double>>(value)))
    {
    }
    template <class Same, class = rex_enable_if<rex_is_same<Same, rex_narrow>>>
    __device__ rex_narrow(const volatile Same &other) : bits(other.bits)
    {
    }
    __device__ static constexpr rex_narrow of(unsigned short bits) { return {bits, nullptr}; }

    __device__ operator float() const volatile { return Format::widen(bits); }

/* Defined for volatile objects and for others. */
#define REX_NARROW_UPDATE(op, cv)                                                                                      \
    template <class V>                                                                                                 \
    __device__ rex_narrow operator op##=(V value) cv                                                                   \
    {                                                                                                                  \
        return *this = static_cast<float>(*this) op value;                                                             \
    }
#define REX_NARROW_OPERATORS(cv)                                                                                       \
    template <class V>                                                                                                 \
    __device__ rex_narrow operator=(V value) cv                                                                        \
    {                                                                                                                  \
        const rex_narrow converted = value;                                                                            \
        bits = converted.bits;                                                                                         \
        return converted;                                                                                              \
    }                                                                                                                  \
    __device__ rex_narrow operator++() cv { return *this += 1; }                                                       \
    __device__ rex_narrow operator--() cv { return *this -= 1; }                                                       \
    __device__ rex_narrow operator++(int) cv                                                                           \
    {                                                                                                                  \
        const rex_narrow old = *this;                                                                                  \
        *this += 1;                                                                                                    \
        return old;                                                                                                    \
    }                                                                                                                  \
    __device__ rex_narrow operator--(int) cv                                                                           \
    {                                                                                                                  \
        const rex_narrow old = *this;                                                                                  \
        *this -= 1;                                                                                                    \
        return old;                                                                                                    \
    }                                                                                                                  \
    REX_NARROW_UPDATE(+, cv)                                                                                           \
    REX_NARROW_UPDATE(-, cv)                                                                                           \
    REX_NARROW_UPDATE(*, cv)                                                                                           \
    REX_NARROW_UPDATE(/, cv)

    REX_NARROW_OPERATORS()
    REX_NARROW_OPERATORS(volatile)

  private:
    __device__ constexpr rex_narrow(unsigned short stored, decltype(nullptr)) : bits(stored) {}
};

using rex_half = rex_narrow<rex_half_format>;
using rex_bfloat = rex_narrow<rex_bfloat_format>;

/* The class of a number. Which numbers are normal depends on the format. */
template <class Format>
REX_FN int rex_isnormal(rex_narrow<Format> x)
{
    const float size = fabsf(x);
    return size >= Format::least_normal && size <= FLT_MAX;
}
template <class Format>
REX_FN int rex_issubnormal(rex_narrow<Format> x)
{
    const float size = fabsf(x);
    return size > 0 && size < Format::least_normal;
}
template <class Format>
REX_FN int rex_fpclassify(int nan, int infinite, int normal, int subnormal, int zero, rex_narrow<Format> x)
{
    const float size = fabsf(x);
    return size != size ? nan : size > FLT_MAX ? infinite : rex_isnormal(x) ? normal : size > 0 ? subnormal : zero;
}

/* The type in which they are compared and combined. */
template <class Format, class T>
struct rex_common_type<rex_narrow<Format>, T> : rex_common_type<float, T> {};
template <class T, class Format>
struct rex_common_type<T, rex_narrow<Format>> : rex_common_type<T, float> {};
template <class A, class B>
struct rex_common_type<rex_narrow<A>, rex_narrow<B>> {
    using type = float;
};
