/* std::complex for kernels on GPUs. libstdc++ computes with gcc's complex types, whose arithmetic nvcc leaves out without
 * a word. Included by device files of C++ units that include <complex>, before the unit's own headers.
 */
#ifndef REX_STD_COMPLEX_H
#define REX_STD_COMPLEX_H
#pragma GCC system_header

#ifndef __CUDACC__
#include <complex>
#else

/* From C++20 on, all functions of <complex> are constexpr, so nvcc would compile them for GPUs. Without that it refuses
 * them: `z.real(2.0)` is an error there, and not a statement that does nothing.
 *
 * Members such as `operator*=(double __d)` would be preferred to the operators below, so they take functions here, whose
 * results they use: `operator*=(double (&__d)())` does `_M_value *= (&__d)()`. No call means them, and `z = 2.0` converts
 * its number to a complex one. */
#include <cmath>
#include <sstream>
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#pragma push_macro("__f")
#pragma push_macro("__d")
#define __f (&__f)()
#define __d (&__d)()
#include <complex>
#pragma pop_macro("__d")
#pragma pop_macro("__f")
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")

/* Operators of two operands. They are preferred to the templates of the standard library. As in gcc, a real operand has no
 * imaginary part. */
#define REX_STD_COMPLEX(R)                                                                                                \
    REX_CXX_FN complex<R> operator+(complex<R> a, complex<R> b) { return {a.real() + b.real(), a.imag() + b.imag()}; }    \
    REX_CXX_FN complex<R> operator+(complex<R> a, R b) { return {a.real() + b, a.imag()}; }                               \
    REX_CXX_FN complex<R> operator+(R a, complex<R> b) { return {a + b.real(), b.imag()}; }                               \
    REX_CXX_FN complex<R> operator-(complex<R> a, complex<R> b) { return {a.real() - b.real(), a.imag() - b.imag()}; }    \
    REX_CXX_FN complex<R> operator-(complex<R> a, R b) { return {a.real() - b, a.imag()}; }                               \
    REX_CXX_FN complex<R> operator-(R a, complex<R> b) { return {a - b.real(), -b.imag()}; }                              \
    REX_CXX_FN complex<R> operator*(complex<R> a, complex<R> b)                                                           \
    {                                                                                                                     \
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};                    \
    }                                                                                                                     \
    REX_CXX_FN complex<R> operator*(complex<R> a, R b) { return {a.real() * b, a.imag() * b}; }                           \
    REX_CXX_FN complex<R> operator*(R a, complex<R> b) { return {a * b.real(), a * b.imag()}; }                           \
    REX_CXX_FN complex<R> operator/(complex<R> a, R b) { return {a.real() / b, a.imag() / b}; }                           \
    REX_CXX_FN complex<R> operator/(complex<R> a, complex<R> b)                                                           \
    {                                                                                                                     \
        const rex_complex_value<R> q                                                                                      \
            = rex_complex_div(rex_complex_value<R>{a.real(), a.imag()}, rex_complex_value<R>{b.real(), b.imag()});        \
        return {q.re, q.im};                                                                                              \
    }                                                                                                                     \
    REX_CXX_FN complex<R> operator/(R a, complex<R> b) { return complex<R>(a) / b; }                                      \
    REX_CXX_FN complex<R> &operator+=(complex<R> &a, const complex<R> &b) { return a = a + b; }                           \
    REX_CXX_FN complex<R> &operator-=(complex<R> &a, const complex<R> &b) { return a = a - b; }                           \
    REX_CXX_FN complex<R> &operator*=(complex<R> &a, const complex<R> &b) { return a = a * b; }                           \
    REX_CXX_FN complex<R> &operator/=(complex<R> &a, const complex<R> &b) { return a = a / b; }                           \
    REX_CXX_FN complex<R> &operator+=(complex<R> &a, R b) { return a = a + b; }                                           \
    REX_CXX_FN complex<R> &operator-=(complex<R> &a, R b) { return a = a - b; }                                           \
    REX_CXX_FN complex<R> &operator*=(complex<R> &a, R b) { return a = a * b; }                                           \
    REX_CXX_FN complex<R> &operator/=(complex<R> &a, R b) { return a = a / b; }                                           \
    REX_CXX_FN complex<R> conj(complex<R> z) { return {z.real(), -z.imag()}; }                                            \
    REX_CXX_FN R norm(complex<R> z) { return z.real() * z.real() + z.imag() * z.imag(); }                                 \
    REX_CXX_FN complex<R> operator+(complex<R> z) { return z; }                                                           \
    REX_CXX_FN complex<R> operator-(complex<R> z) { return {-z.real(), -z.imag()}; }

/* Functions, for finite arguments: those of <complex.h> of the same names, and libstdc++'s formulas for the inverse ones. */
#define REX_STD_COMPLEX_FUNCTION(R, name)                                                                                 \
    REX_CXX_FN complex<R> name(complex<R> z)                                                                              \
    {                                                                                                                     \
        const rex_complex_value<R> q = rex_c_complex<R>::name(rex_complex_value<R>{z.real(), z.imag()});                  \
        return {q.re, q.im};                                                                                              \
    }
#define REX_STD_COMPLEX_FUNCTIONS(R)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, exp)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, log)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, sqrt)                                                                                     \
    REX_STD_COMPLEX_FUNCTION(R, sin)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, cos)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, tan)                                                                                      \
    REX_STD_COMPLEX_FUNCTION(R, sinh)                                                                                     \
    REX_STD_COMPLEX_FUNCTION(R, cosh)                                                                                     \
    REX_STD_COMPLEX_FUNCTION(R, tanh)                                                                                     \
    REX_CXX_FN R abs(complex<R> z) { return ::hypot(z.real(), z.imag()); }                                                \
    REX_CXX_FN R arg(complex<R> z) { return ::atan2(z.imag(), z.real()); }                                                \
    REX_CXX_FN complex<R> log10(complex<R> z) { return log(z) / ::log(R(10)); }                                           \
    REX_CXX_FN complex<R> pow(complex<R> x, complex<R> y)                                                                 \
    {                                                                                                                     \
        const rex_complex_value<R> q = rex_c_complex<R>::pow(                                                             \
            rex_complex_value<R>{x.real(), x.imag()}, rex_complex_value<R>{y.real(), y.imag()});                          \
        return {q.re, q.im};                                                                                              \
    }                                                                                                                     \
    REX_CXX_FN complex<R> pow(complex<R> x, R y) { return pow(x, complex<R>(y)); }                                        \
    REX_CXX_FN complex<R> pow(R x, complex<R> y) { return pow(complex<R>(x), y); }                                        \
    REX_CXX_FN complex<R> pow(complex<R> x, int n) /* by products, as the standard library's */                           \
    {                                                                                                                     \
        unsigned int left = n < 0 ? -static_cast<unsigned int>(n) : static_cast<unsigned int>(n);                         \
        complex<R> y = left % 2 ? x : complex<R>(1);                                                                      \
        while (left >>= 1) {                                                                                              \
            x = x * x;                                                                                                    \
            y = left % 2 ? y * x : y;                                                                                     \
        }                                                                                                                 \
        return n < 0 ? complex<R>(1) / y : y;                                                                             \
    }                                                                                                                     \
    REX_CXX_FN complex<R> polar(R length, R angle) { return {length * ::cos(angle), length * ::sin(angle)}; }             \
    REX_CXX_FN complex<R> asinh(complex<R> z)                                                                             \
    {                                                                                                                     \
        const R x = z.real(), y = z.imag();                                                                               \
        return log(sqrt(complex<R>((x - y) * (x + y) + R(1), R(2) * x * y)) + z);                                         \
    }                                                                                                                     \
    REX_CXX_FN complex<R> asin(complex<R> z)                                                                              \
    {                                                                                                                     \
        const complex<R> t = asinh(complex<R>(-z.imag(), z.real()));                                                      \
        return {t.imag(), -t.real()};                                                                                     \
    }                                                                                                                     \
    REX_CXX_FN complex<R> acos(complex<R> z)                                                                              \
    {                                                                                                                     \
        const complex<R> t = asin(z);                                                                                     \
        return {R(1.5707963267948966192313216916397514L) - t.real(), -t.imag()};                                          \
    }                                                                                                                     \
    REX_CXX_FN complex<R> acosh(complex<R> z)                                                                             \
    {                                                                                                                     \
        return R(2) * log(sqrt(R(0.5) * (z + R(1))) + sqrt(R(0.5) * (z - R(1))));                                         \
    }                                                                                                                     \
    REX_CXX_FN complex<R> atan(complex<R> z)                                                                              \
    {                                                                                                                     \
        const R x = z.real(), y = z.imag(), up = x * x + (y + R(1)) * (y + R(1)), down = x * x + (y - R(1)) * (y - R(1)); \
        return {R(0.5) * ::atan2(R(2) * x, R(1) - x * x - y * y), R(0.25) * ::log(up / down)};                            \
    }                                                                                                                     \
    REX_CXX_FN complex<R> atanh(complex<R> z)                                                                             \
    {                                                                                                                     \
        const R x = z.real(), y = z.imag(), up = y * y + (R(1) + x) * (R(1) + x), down = y * y + (R(1) - x) * (R(1) - x); \
        return {R(0.25) * (::log(up) - ::log(down)), R(0.5) * ::atan2(R(2) * y, R(1) - y * y - x * x)};                   \
    }

namespace std {
REX_STD_COMPLEX(float)
REX_STD_COMPLEX(double)
REX_STD_COMPLEX_FUNCTIONS(float)
REX_STD_COMPLEX_FUNCTIONS(double)
}
#undef REX_STD_COMPLEX
#undef REX_STD_COMPLEX_FUNCTION
#undef REX_STD_COMPLEX_FUNCTIONS

#endif
#endif
