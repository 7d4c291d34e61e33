// Values of the standard library that can be copied as bytes.
#include "check.hpp"
#include <array>
#include <complex>
#include <tuple>
#include <utility>

int main()
{
    std::array<double, 3> a{{1, 2, 3}};
    std::pair<int, double> p(4, 0.5);
    std::tuple<int, double, char> t(7, 2.5, 'c');
    std::complex<double> z(1, 2);
    double out[8];
#pragma omp target teams distribute parallel for map(from: out) firstprivate(a, p, t, z)
    for (int i = 0; i < 8; ++i)
        out[i] = a[i % 3] + p.first * p.second + std::get<0>(t) + std::get<1>(t) + z.real() + z.imag() * i;
    check("firstprivate", out[4], 2 + 2.0 + 7 + 2.5 + 1 + 8);
#pragma omp target map(tofrom: a, p, t)
    {
        a[0] = 10;
        a.back() = 30;
        p.first += 1;
        p.second = p.first * 2;
        std::get<2>(t) = 'd';
    }
    check("array", a[0] + a[2], 40.0);
    check("pair", p.second, 10.0);
    check("tuple", std::get<2>(t), 'd');
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i];
    check("an array as it is", sum, 42.0);
    return report();
}
