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
 * them: `z *= 2.0` is an error there, and not a statement that does nothing. */
#include <cmath>
#include <sstream>
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include <complex>
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
    REX_CXX_FN complex<R> conj(complex<R> z) { return {z.real(), -z.imag()}; }                                            \
    REX_CXX_FN R norm(complex<R> z) { return z.real() * z.real() + z.imag() * z.imag(); }                                 \
    REX_CXX_FN complex<R> operator-(complex<R> z) { return {-z.real(), -z.imag()}; }

namespace std {
REX_STD_COMPLEX(float)
REX_STD_COMPLEX(double)
}
#undef REX_STD_COMPLEX

#endif
#endif
