// What C++14 has: generic closures, initialised captures, variable templates, digit separators.
// cflags: -std=c++14
#include "check.hpp"
#include <utility>

constexpr int fact(int n)
{
    int r = 1;
    for (int i = 2; i <= n; i++)
        r *= i;
    return r;
}
template <class T> constexpr T pi = T(3.25);
[[deprecated]] inline int old() { return 1; }

auto deduced(double x) { return x * 2; }

int main()
{
    int big = 1'000'000;
    int mask = 0b1010'1010;
    double out[8];
    auto gen = [](auto a, auto b) { return a + b; };
    auto init = [v = big / 2](int i) { return v + i; };
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < 8; i++)
        out[i] = fact(i) + pi<double> + deduced(i) + gen(1, 2.5) + init(i) + ((mask >> i) & 1) + 1'000;
    for (int i = 0; i < 8; i++)
        check("out", out[i], fact(i) + 3.25 + 2.0 * i + 3.5 + 500000 + i + (i % 2 ? 1 : 0) + 1000);
    return report();
}
