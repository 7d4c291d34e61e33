/* The functions of <complex.h>. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

/* For finite arguments. Z is rex_double_complex, R is double. */
template <class R, class Z = rex_complex_t<R>>
struct rex_c_complex {
    REX_FN R real(Z z) { return REX_REAL(z); }
    REX_FN R imag(Z z) { return REX_IMAG(z); }
    REX_FN R abs(Z z) { return hypot(REX_REAL(z), REX_IMAG(z)); }
    REX_FN R arg(Z z) { return atan2(REX_IMAG(z), REX_REAL(z)); }
    REX_FN Z conj(Z z) { return ~z; }
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

#define REX_C_COMPLEX(function, name)                                                                                  \
    REX_FN rex_double_complex rex_c_##function(rex_double_complex z) { return rex_c_complex<double>::name(z); }          \
    REX_FN rex_float_complex rex_c_##function##f(rex_float_complex z) { return rex_c_complex<float>::name(z); }
#define REX_C_REAL(function, name)                                                                                     \
    REX_FN double rex_c_##function(rex_double_complex z) { return rex_c_complex<double>::name(z); }                      \
    REX_FN float rex_c_##function##f(rex_float_complex z) { return rex_c_complex<float>::name(z); }
#define REX_C_COMPLEX_OF_TWO(function, name)                                                                           \
    REX_FN rex_double_complex rex_c_##function(rex_double_complex x, rex_double_complex y)                              \
    {                                                                                                                  \
        return rex_c_complex<double>::name(x, y);                                                                      \
    }                                                                                                                  \
    REX_FN rex_float_complex rex_c_##function##f(rex_float_complex x, rex_float_complex y)                              \
    {                                                                                                                  \
        return rex_c_complex<float>::name(x, y);                                                                       \
    }
