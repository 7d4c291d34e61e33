/* <math.h>. Included by rex_libc.h. */
#pragma once

REX_FN double rex_c_nexttoward(double x, double y) { return nextafter(x, y); }
REX_FN float rex_c_nexttowardf(float x, double y)
{
    const double wide = x;
    return wide == y ? static_cast<float>(y) : nextafterf(x, y > wide ? __builtin_inff() : y < wide ? -__builtin_inff() : __builtin_nanf(""));
}
REX_FN int rex_c_gamma_sign(double x)
{
    return x < 0 ? (x != floor(x) && fmod(floor(x), 2.0) != 0 ? -1 : 1) : signbit(x) ? -1 : 1;
}
REX_FN double rex_c_lgamma_r(double x, int *sign)
{
    *sign = rex_c_gamma_sign(x);
    return lgamma(x);
}
REX_FN float rex_c_lgammaf_r(float x, int *sign)
{
    *sign = rex_c_gamma_sign(x);
    return lgammaf(x);
}
REX_FN int rex_c_finite(double x) { return isfinite(x); }
REX_FN int rex_c_finitef(float x) { return isfinite(x); }
REX_FN int rex_c_isinff(float x) { return isinf(x) ? (signbit(x) ? -1 : 1) : 0; }
REX_FN int rex_c_isnanf(float x) { return isnan(x); }
REX_FN double rex_c_drem(double x, double y) { return remainder(x, y); }
REX_FN float rex_c_dremf(float x, float y) { return remainderf(x, y); }
REX_FN double rex_c_gamma(double x) { return lgamma(x); }
REX_FN float rex_c_gammaf(float x) { return lgammaf(x); }
REX_FN double rex_c_significand(double x) { return x == 0 || !isfinite(x) ? x : scalbn(x, -ilogb(x)); }
REX_FN float rex_c_significandf(float x) { return x == 0 || !isfinite(x) ? x : scalbnf(x, -ilogbf(x)); }
REX_FN double rex_c_roundeven(double x) { return rint(x); }
REX_FN float rex_c_roundevenf(float x) { return rintf(x); }
REX_FN double rex_c_nextup(double x) { return nextafter(x, static_cast<double>(__builtin_inff())); }
REX_FN float rex_c_nextupf(float x) { return nextafterf(x, __builtin_inff()); }
REX_FN double rex_c_nextdown(double x) { return nextafter(x, -static_cast<double>(__builtin_inff())); }
REX_FN float rex_c_nextdownf(float x) { return nextafterf(x, -__builtin_inff()); }
REX_FN long rex_c_llogb(double x)
{
    return x == 0 ? -LONG_MAX - 1 : isnan(x) ? -LONG_MAX - 1 : isinf(x) ? LONG_MAX : ilogb(x);
}
REX_FN long rex_c_llogbf(float x) { return rex_c_llogb(x); }

/* CUDA's functions divide by the argument, so they give no value if it is 0 or its inverse overflows. */
REX_FN double rex_c_jn(int n, double x)
{
    if (n < 0)
        return (n % 2 ? -1.0 : 1.0) * rex_c_jn(-n, x);
    return n < 2 || fabs(x) > 1e-6 ? jn(n, x) : pow(x / 2, n) / tgamma(n + 1.0);
}
REX_FN float rex_c_jnf(int n, float x) { return static_cast<float>(rex_c_jn(n, x)); }
REX_FN double rex_c_yn(int n, double x)
{
    return x == 0 ? (n < 0 && n % 2 ? __builtin_inff() : -__builtin_inff()) : yn(n, x);
}
REX_FN float rex_c_ynf(int n, float x) { return static_cast<float>(rex_c_yn(n, x)); }

/* The builtins behind <math.h>'s classification macros, as far as CUDA does not know them. */
#define __builtin_signbitf(x) signbit(static_cast<float>(x))
#ifndef REX_STD_BUILTINS /* std/rex_std_builtins.h has those that libstdc++ uses */
#define __builtin_isinf_sign(x) (isinf(x) ? (signbit(x) ? -1 : 1) : 0)
#define __builtin_isnormal(x) (isfinite(x) && fabs(static_cast<double>(x)) >= rex_smallest_normal(x))
#define __builtin_isunordered(x, y) (isnan(x) || isnan(y))
#define __builtin_isgreater(x, y) ((x) > (y))
#define __builtin_isgreaterequal(x, y) ((x) >= (y))
#define __builtin_isless(x, y) ((x) < (y))
#define __builtin_islessequal(x, y) ((x) <= (y))
#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)                                                \
    (isnan(x)                ? (nan)                                                                                   \
     : isinf(x)              ? (infinite)                                                                              \
     : (x) == 0              ? (zero)                                                                                  \
     : __builtin_isnormal(x) ? (normal)                                                                                \
                             : (subnormal))
#endif

REX_FN constexpr double rex_smallest_normal(float) { return 1.17549435082228750796873653722224568e-38; }
REX_FN constexpr double rex_smallest_normal(double) { return 2.22507385850720138309023271733240406e-308; }
