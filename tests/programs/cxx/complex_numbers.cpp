// std::complex in regions and as firstprivate and mapped values.
#include "check.hpp"
#include <complex>

using Complex = std::complex<double>;

int main()
{
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
    check("compound assignments", std::abs(computed - wanted) < 1e-9, true);
    return report();
}
