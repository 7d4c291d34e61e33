/* Complex arithmetic of C. C++ has no conversions between real and complex types, so generated code calls the functions
 * here. The types are the device's. Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

template <class R, class Z>
__device__ inline R rex_re(Z z);
template <class R, class Z>
__device__ inline R rex_im(Z z);

/* _Complex _Float16 is stored as two halves and computed with as float. */
struct rex_half_complex {
    rex_half re, im;

    rex_half_complex() = default;
    __device__ constexpr rex_half_complex(rex_half real, rex_half imaginary) : re(real), im(imaginary) {}
    template <class Z>
    __device__ rex_half_complex(Z z) : re(rex_re<rex_half>(z)), im(rex_im<rex_half>(z))
    {
    }
    __device__ operator rex_float_complex() const
    {
        return rex_float_complex{static_cast<float>(re), static_cast<float>(im)};
    }
    __device__ rex_float_complex operator+() const { return *this; }
    __device__ rex_float_complex operator-() const { return -static_cast<rex_float_complex>(*this); }
    __device__ rex_float_complex operator~() const { return ~static_cast<rex_float_complex>(*this); }
};

template <class R>
struct rex_complex_with;
template <class R>
using rex_complex_t = typename rex_complex_with<R>::type;

template <class T>
struct rex_complex_type { /* of a real type */
    using real = T;
    static constexpr bool value = false;
};

#define REX_COMPLEX(R)                                                                                                 \
    template <>                                                                                                        \
    struct rex_complex_with<R> {                                                                                       \
        using type = REX_COMPLEX_OF(R);                                                                                \
    };                                                                                                                 \
    template <>                                                                                                        \
    struct rex_complex_type<REX_COMPLEX_OF(R)> {                                                                       \
        using real = R;                                                                                                \
        static constexpr bool value = true;                                                                            \
    };
REX_COMPLEX(float) REX_COMPLEX(double) REX_COMPLEX(char) REX_COMPLEX(signed char) REX_COMPLEX(unsigned char)
REX_COMPLEX(short) REX_COMPLEX(unsigned short) REX_COMPLEX(int) REX_COMPLEX(unsigned int) REX_COMPLEX(long)
REX_COMPLEX(unsigned long) REX_COMPLEX(long long) REX_COMPLEX(unsigned long long)
template <>
struct rex_complex_with<rex_half> {
    using type = rex_half_complex;
};
template <>
struct rex_complex_type<rex_half_complex> {
    using real = rex_half;
    static constexpr bool value = true;
};

template <class T>
constexpr bool rex_is_complex = rex_complex_type<rex_remove_cv<T>>::value;

/* The real type in which an operation on A and B is done. */
template <class A, class B>
using rex_common_real = rex_common<typename rex_complex_type<A>::real, typename rex_complex_type<B>::real>;

/* The type for sums and products. Those of integers wrap around, which is right whenever the result is defined. */
template <class R>
using rex_modular_word = rex_conditional<rex_is_same<R, __int128>, unsigned __int128,
    rex_conditional<rex_is_integral<R>, rex_conditional<sizeof(R) == 8, unsigned long long, unsigned int>, R>>;

template <class R>
__device__ inline rex_complex_t<R> rex_complex(R real, R imaginary = 0)
{
    return rex_complex_t<R>{real, imaginary};
}

template <class R, class T>
__device__ inline R rex_re(T x)
{
    if constexpr (rex_is_same<T, rex_half_complex>)
        return static_cast<R>(x.re);
    else if constexpr (rex_is_complex<T>)
        return static_cast<R>(REX_REAL(x));
    else
        return static_cast<R>(x);
}

template <class R, class T>
__device__ inline R rex_im(T x)
{
    if constexpr (rex_is_same<T, rex_half_complex>)
        return static_cast<R>(x.im);
    else if constexpr (rex_is_complex<T>)
        return static_cast<R>(REX_IMAG(x));
    else
        return 0;
}

/* Converts to another precision. nvcc silently ignores a cast between complex types. */
template <class R, class T>
__device__ inline rex_complex_t<R> rex_complex_as(T x)
{
    return rex_complex(rex_re<R>(x), rex_im<R>(x));
}

template <class T>
__device__ inline bool rex_complex_true(T x)
{
    using R = typename rex_complex_type<T>::real;
    return rex_re<R>(x) != 0 || rex_im<R>(x) != 0;
}

template <class A, class B>
__device__ inline bool rex_complex_equal(A a, B b)
{
    using R = rex_common_real<A, B>;
    return rex_re<R>(a) == rex_re<R>(b) && rex_im<R>(a) == rex_im<R>(b);
}

/* A real operand has no imaginary part, not even a zero. As in gcc, only parts that exist are added and multiplied. */
template <class A, class B, class R = rex_common_real<A, B>, class P = rex_modular_word<R>>
__device__ inline rex_complex_t<R> rex_complex_add(A a, B b)
{
    const R re = rex_re<P>(a) + rex_re<P>(b);
    if constexpr (!rex_is_complex<A>)
        return rex_complex<R>(re, rex_im<R>(b));
    else if constexpr (!rex_is_complex<B>)
        return rex_complex<R>(re, rex_im<R>(a));
    else
        return rex_complex<R>(re, rex_im<P>(a) + rex_im<P>(b));
}

template <class A, class B, class R = rex_common_real<A, B>, class P = rex_modular_word<R>>
__device__ inline rex_complex_t<R> rex_complex_sub(A a, B b)
{
    const R re = rex_re<P>(a) - rex_re<P>(b);
    if constexpr (!rex_is_complex<A>)
        return rex_complex<R>(re, -rex_im<P>(b));
    else if constexpr (!rex_is_complex<B>)
        return rex_complex<R>(re, rex_im<R>(a));
    else
        return rex_complex<R>(re, rex_im<P>(a) - rex_im<P>(b));
}

template <class A, class B, class R = rex_common_real<A, B>>
__device__ inline rex_complex_t<R> rex_complex_mul(A a, B b)
{
    if constexpr (rex_is_integral<R>) {
        using P = rex_modular_word<R>;
        const P ar = rex_re<P>(a), ai = rex_im<P>(a), br = rex_re<P>(b), bi = rex_im<P>(b);
        return rex_complex<R>(ar * br - ai * bi, ar * bi + ai * br);
    } else if constexpr (!rex_is_complex<A>)
        return rex_complex<R>(
            REX_PRODUCT(static_cast<R>(a), rex_re<R>(b)), REX_PRODUCT(static_cast<R>(a), rex_im<R>(b)));
    else if constexpr (!rex_is_complex<B>)
        return rex_complex<R>(
            REX_PRODUCT(rex_re<R>(a), static_cast<R>(b)), REX_PRODUCT(rex_im<R>(a), static_cast<R>(b)));
    else if constexpr (rex_has_complex_products)
        return static_cast<rex_complex_t<R>>(a) * static_cast<rex_complex_t<R>>(b);
    else {
        const R ar = rex_re<R>(a), ai = rex_im<R>(a), br = rex_re<R>(b), bi = rex_im<R>(b);
        return rex_complex<R>(REX_PRODUCT(ar, br) - REX_PRODUCT(ai, bi), REX_PRODUCT(ar, bi) + REX_PRODUCT(ai, br));
    }
}

/* Divides complex integers as gcc does: each step is rounded to R, so the result is not the rounded quotient. */
template <class R>
__device__ inline rex_complex_t<R> rex_complex_quotient(R ar, R ai, R br, R bi)
{
    const auto magnitude = [](R x) {
        if constexpr (rex_is_signed<R>)
            return x < 0 ? static_cast<R>(-x) : x;
        else
            return x;
    };
    const auto fused = [](R x, R ratio, R y) { return static_cast<R>(rex_modular_word<R>(x) * rex_modular_word<R>(ratio) + y); };
    const auto less = [](R x, R y) { return static_cast<R>(rex_modular_word<R>(x) - rex_modular_word<R>(y)); };
    if (magnitude(br) < magnitude(bi)) {
        const R ratio = br / bi, scale = fused(br, ratio, bi);
        return rex_complex<R>(fused(ar, ratio, ai) / scale, less(fused(ai, ratio, 0), ar) / scale);
    }
    const R ratio = bi / br, scale = fused(bi, ratio, br);
    return rex_complex<R>(fused(ai, ratio, ar) / scale, less(ai, fused(ar, ratio, 0)) / scale);
}

template <class A, class B, class R = rex_common_real<A, B>>
__device__ inline rex_complex_t<R> rex_complex_div(A a, B b)
{
    if constexpr (!rex_is_complex<B>)
        return rex_complex<R>(rex_re<R>(a) / static_cast<R>(b), rex_im<R>(a) / static_cast<R>(b));
    else if constexpr (rex_is_integral<R>)
        return rex_complex_quotient<R>(rex_re<R>(a), rex_im<R>(a), rex_re<R>(b), rex_im<R>(b));
    else if constexpr (rex_has_complex_quotients)
        return rex_complex<R>(rex_re<R>(a), rex_im<R>(a)) / static_cast<rex_complex_t<R>>(b);
    else {
        /* The parts are scaled by the divisor's larger part, so that no square overflows. */
        const R ar = rex_re<R>(a), ai = rex_im<R>(a), br = rex_re<R>(b), bi = rex_im<R>(b);
        if (fabs(br) >= fabs(bi)) {
            const R ratio = bi / br, scale = br + bi * ratio;
            return rex_complex<R>((ar + ai * ratio) / scale, (ai - ar * ratio) / scale);
        }
        const R ratio = br / bi, scale = br * ratio + bi;
        return rex_complex<R>((ar * ratio + ai) / scale, (ai * ratio - ar) / scale);
    }
}
