/* Complex arithmetic of C. The cpu device uses the host compiler's own types. CUDA uses structures of the same layout,
 * because nvcc accepts _Complex but its device code cannot compute with it. C++ has no conversions between real and
 * complex types, so generated code calls the functions here. Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

#ifdef REX_DEVICE_CPU

using rex_float_complex = float _Complex;
using rex_double_complex = double _Complex;
#define REX_REAL(z) __real__(z)
#define REX_IMAG(z) __imag__(z)

#else

template <class R>
struct rex_complex_value {
    R re, im;
    template <class S>
    __device__ explicit operator rex_complex_value<S>() const
    {
        return {static_cast<S>(re), static_cast<S>(im)};
    }
    __device__ rex_complex_value operator+() const { return *this; }
    __device__ rex_complex_value operator-() const { return {static_cast<R>(-re), static_cast<R>(-im)}; }
    __device__ rex_complex_value operator~() const { return {re, static_cast<R>(-im)}; }
};

using rex_float_complex = rex_complex_value<float>;
using rex_double_complex = rex_complex_value<double>;
#define REX_REAL(z) ((z).re)
#define REX_IMAG(z) ((z).im)

#endif

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

#ifdef REX_DEVICE_CPU
#define REX_COMPLEX_OF(R) R _Complex
#else
#define REX_COMPLEX_OF(R) rex_complex_value<R>
#endif
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
    else {
#if defined(REX_DEVICE_CPU) && !(defined(REX_ROUNDED_PRODUCTS) && defined(__FMA__))
        return static_cast<rex_complex_t<R>>(a) * static_cast<rex_complex_t<R>>(b);
#else
        const R ar = rex_re<R>(a), ai = rex_im<R>(a), br = rex_re<R>(b), bi = rex_im<R>(b);
        return rex_complex<R>(REX_PRODUCT(ar, br) - REX_PRODUCT(ai, bi), REX_PRODUCT(ar, bi) + REX_PRODUCT(ai, br));
#endif
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
    else {
#ifdef REX_DEVICE_CPU
        return rex_complex<R>(rex_re<R>(a), rex_im<R>(a)) / static_cast<rex_complex_t<R>>(b);
#else
        /* The parts are scaled by the divisor's larger part, so that no square overflows. */
        const R ar = rex_re<R>(a), ai = rex_im<R>(a), br = rex_re<R>(b), bi = rex_im<R>(b);
        if (fabs(br) >= fabs(bi)) {
            const R ratio = bi / br, scale = br + bi * ratio;
            return rex_complex<R>((ar + ai * ratio) / scale, (ai - ar * ratio) / scale);
        }
        const R ratio = br / bi, scale = br * ratio + bi;
        return rex_complex<R>((ar * ratio + ai) / scale, (ai * ratio - ar) / scale);
#endif
    }
}

/* ---- <complex.h> ------------------------------------------------------------------------------------------------- */

#ifdef REX_DEVICE_CPU

#define REX_C_COMPLEX(name)                                                                                            \
    extern "C" rex_double_complex rex_c_##name(rex_double_complex) __asm__(#name);                                          \
    extern "C" rex_float_complex rex_c_##name##f(rex_float_complex) __asm__(#name "f");
#define REX_C_REAL(name)                                                                                               \
    extern "C" double rex_c_##name(rex_double_complex) __asm__(#name);                                                   \
    extern "C" float rex_c_##name##f(rex_float_complex) __asm__(#name "f");

REX_C_REAL(creal) REX_C_REAL(cimag) REX_C_REAL(cabs) REX_C_REAL(carg)
REX_C_COMPLEX(conj) REX_C_COMPLEX(cproj) REX_C_COMPLEX(cexp) REX_C_COMPLEX(clog) REX_C_COMPLEX(csqrt)
REX_C_COMPLEX(csin) REX_C_COMPLEX(ccos) REX_C_COMPLEX(ctan) REX_C_COMPLEX(csinh) REX_C_COMPLEX(ccosh)
REX_C_COMPLEX(ctanh)
extern "C" rex_double_complex rex_c_cpow(rex_double_complex, rex_double_complex) __asm__("cpow");
extern "C" rex_float_complex rex_c_cpowf(rex_float_complex, rex_float_complex) __asm__("cpowf");

#else

/* For finite arguments. Z is rex_double_complex, R is double. */
template <class R, class Z = rex_complex_t<R>>
struct rex_c_complex {
    REX_FN R abs(Z z) { return hypot(REX_REAL(z), REX_IMAG(z)); }
    REX_FN R arg(Z z) { return atan2(REX_IMAG(z), REX_REAL(z)); }
    REX_FN Z proj(Z z)
    {
        return isinf(REX_REAL(z)) || isinf(REX_IMAG(z))
                   ? rex_complex<R>(static_cast<R>(__builtin_inff()), copysign(R(0), REX_IMAG(z)))
                   : z;
    }
    REX_FN Z polar(R length, R angle) { return rex_complex<R>(length * cos(angle), length * sin(angle)); }
    REX_FN Z exp(Z z) { return REX_IMAG(z) == 0 ? rex_complex<R>(::exp(REX_REAL(z)), REX_IMAG(z)) : polar(::exp(REX_REAL(z)), REX_IMAG(z)); }
    REX_FN Z log(Z z) { return rex_complex<R>(::log(abs(z)), arg(z)); }
    REX_FN Z sqrt(Z z)
    {
        const R length = abs(z);
        if (length == 0)
            return rex_complex<R>(0, REX_IMAG(z));
        const R large = ::sqrt((length + fabs(REX_REAL(z))) / 2), small = fabs(REX_IMAG(z)) / (2 * large);
        return REX_REAL(z) >= 0 ? rex_complex<R>(large, copysign(small, REX_IMAG(z)))
                               : rex_complex<R>(small, copysign(large, REX_IMAG(z)));
    }
    REX_FN Z pow(Z x, Z y)
    {
        return rex_complex_true(x) ? exp(rex_complex_mul(y, log(x))) : rex_complex<R>(rex_complex_true(y) ? 0 : 1);
    }
    REX_FN Z sin(Z z)
    {
        return rex_complex<R>(::sin(REX_REAL(z)) * ::cosh(REX_IMAG(z)), ::cos(REX_REAL(z)) * ::sinh(REX_IMAG(z)));
    }
    REX_FN Z cos(Z z)
    {
        return rex_complex<R>(::cos(REX_REAL(z)) * ::cosh(REX_IMAG(z)), -(::sin(REX_REAL(z)) * ::sinh(REX_IMAG(z))));
    }
    REX_FN Z sinh(Z z)
    {
        return rex_complex<R>(::sinh(REX_REAL(z)) * ::cos(REX_IMAG(z)), ::cosh(REX_REAL(z)) * ::sin(REX_IMAG(z)));
    }
    REX_FN Z cosh(Z z)
    {
        return rex_complex<R>(::cosh(REX_REAL(z)) * ::cos(REX_IMAG(z)), ::sinh(REX_REAL(z)) * ::sin(REX_IMAG(z)));
    }
    REX_FN Z tan(Z z) { return rex_complex_div(sin(z), cos(z)); }
    REX_FN Z tanh(Z z) { return rex_complex_div(sinh(z), cosh(z)); }

  private:
    REX_FN R cos(R x) { return ::cos(x); }
    REX_FN R sin(R x) { return ::sin(x); }
};

#define REX_C_COMPLEX(name)                                                                                            \
    REX_FN rex_double_complex rex_c_c##name(rex_double_complex z) { return rex_c_complex<double>::name(z); }                 \
    REX_FN rex_float_complex rex_c_c##name##f(rex_float_complex z) { return rex_c_complex<float>::name(z); }

REX_C_COMPLEX(exp) REX_C_COMPLEX(log) REX_C_COMPLEX(sqrt) REX_C_COMPLEX(sin) REX_C_COMPLEX(cos) REX_C_COMPLEX(tan)
REX_C_COMPLEX(sinh) REX_C_COMPLEX(cosh) REX_C_COMPLEX(tanh) REX_C_COMPLEX(proj)

REX_FN double rex_c_creal(rex_double_complex z) { return REX_REAL(z); }
REX_FN float rex_c_crealf(rex_float_complex z) { return REX_REAL(z); }
REX_FN double rex_c_cimag(rex_double_complex z) { return REX_IMAG(z); }
REX_FN float rex_c_cimagf(rex_float_complex z) { return REX_IMAG(z); }
REX_FN double rex_c_cabs(rex_double_complex z) { return rex_c_complex<double>::abs(z); }
REX_FN float rex_c_cabsf(rex_float_complex z) { return rex_c_complex<float>::abs(z); }
REX_FN double rex_c_carg(rex_double_complex z) { return rex_c_complex<double>::arg(z); }
REX_FN float rex_c_cargf(rex_float_complex z) { return rex_c_complex<float>::arg(z); }
REX_FN rex_double_complex rex_c_conj(rex_double_complex z) { return ~z; }
REX_FN rex_float_complex rex_c_conjf(rex_float_complex z) { return ~z; }
REX_FN rex_double_complex rex_c_cpow(rex_double_complex x, rex_double_complex y) { return rex_c_complex<double>::pow(x, y); }
REX_FN rex_float_complex rex_c_cpowf(rex_float_complex x, rex_float_complex y) { return rex_c_complex<float>::pow(x, y); }

#endif
