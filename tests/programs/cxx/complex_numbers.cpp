// std::complex in regions and as firstprivate and mapped values.
#include "check.hpp"
#include <complex>

using Complex = std::complex<double>;

void functions(Complex z, Complex *r)
{
    r[0] = std::exp(z);
    r[1] = std::log(z);
    r[2] = std::sqrt(z);
    r[3] = std::sin(z);
    r[4] = std::cos(z);
    r[5] = std::tan(z);
    r[6] = std::sinh(z);
    r[7] = std::cosh(z);
    r[8] = std::tanh(z);
    r[9] = std::log10(z);
    r[10] = std::pow(z, z);
    r[11] = std::pow(z, 2.5);
    r[12] = std::polar(2.0, 1.0);
    r[13] = std::asin(z);
    r[14] = std::acos(z);
    r[15] = std::acosh(z);
    r[16] = std::atan(z);
    r[17] = std::atanh(z);
    r[18] = std::asinh(z) + std::pow(2.0, z) + std::pow(z, 3) + std::pow(z, -4) + std::pow(z, 0);
}

// Compound assignments of real operands, and assignments: a part of what a template computes with its own type.
template <class T> void with_real_operands()
{
    std::complex<T> z[8], same[8];
    for (int i = 0; i < 8; ++i)
        z[i] = same[i] = std::complex<T>(i, 1);
    const auto change = [](std::complex<T> &v, T two) {
        v *= two;
        v /= T(4);
        v += T(1);
        v -= 3;
        v = +v;
        std::complex<T> other;
        other = two;
        v += other;
        other = 0;
        other += 1;
        v *= other;
    };
#pragma omp target teams distribute parallel for map(tofrom: z)
    for (int i = 0; i < 8; ++i)
        change(z[i], T(2));
    for (int i = 0; i < 8; ++i) {
        change(same[i], T(2));
        check("real operands", z[i] == same[i], true);
    }
}

int main()
{
    with_real_operands<float>();
    with_real_operands<double>();
    const int n = 16;
    Complex z[n];
    for (int i = 0; i < n; ++i)
        z[i] = Complex(i, -i);
    const Complex w(0.5, 2);
#pragma omp target teams distribute parallel for map(tofrom: z) firstprivate(w)
    for (int i = 0; i < n; ++i) {
        Complex v = z[i] * w + Complex(1, 0);
        v = v - w;
        z[i] = std::conj(v) / 2.0;
    }
    const Complex expected = std::conj(Complex(4, -4) * w + Complex(1, 0) - w) / 2.0;
    check("real", z[4].real(), expected.real());
    check("imag", z[4].imag(), expected.imag());
    double norms = 0;
#pragma omp target teams distribute parallel for map(to: z) reduction(+: norms)
    for (int i = 0; i < n; ++i)
        norms += z[i].real() * z[i].real() + z[i].imag() * z[i].imag();
    double same = 0;
    for (const Complex &v : z)
        same += v.real() * v.real() + v.imag() * v.imag();
    check("norms", norms, same);
    Complex computed;
#pragma omp target map(tofrom: computed) map(to: z)
    for (int i = 0; i < 4; ++i) {
        computed += z[i] * w;
        computed *= w;
        computed -= Complex(i, 1);
        computed /= Complex(0, 2);
    }
    Complex wanted;
    for (int i = 0; i < 4; ++i)
        wanted = ((wanted + z[i] * w) * w - Complex(i, 1)) / Complex(0, 2);
    const Complex u(0.3, -0.4);
    Complex made[19], same_made[19];
    double lengths[2];
#pragma omp target map(from: made, lengths)
    {
        functions(u, made);
        lengths[0] = std::abs(u);
        lengths[1] = std::arg(u);
    }
    functions(u, same_made);
    for (int i = 0; i < 19; ++i)
        check("function", std::abs(made[i] - same_made[i]) < 1e-12, true);
    check("length", std::abs(lengths[0] - 0.5) < 1e-12 && std::abs(lengths[1] - std::arg(u)) < 1e-12, true);
    check("compound assignments", std::abs(computed - wanted) < 1e-9, true);
    return report();
}
