// Closures that regions name.
// reference: -O1
#include "check.hpp"

#include <tuple>
#include <utility>

struct Point {
    double x, y;
};

int main()
{
    const int n = 64;
    static double data[n];
    double *p = data;
    double a = 2;
    Point origin{1, 2};
    auto scale = [a](double v) { return a * v; };
    auto shifted = [=](double v) { return v + origin.x + origin.y; };
    const auto both = [scale, shifted](double v) { return scale(shifted(v)); };
    auto store = [p](int i, double v) { p[i] = v; };
    auto generic = [](auto u, auto v) { return u * v; };
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = scale(i) + shifted(i);
    check("two", data[5], 10 + 8.0);
#pragma omp target teams distribute parallel for map(from: p[0:n])
    for (int i = 0; i < n; ++i)
        store(i, both(i) + generic(i, 2) + generic(0.5, i));
    check("a closure in a closure", data[5], 16 + 10 + 2.5);
    double r = 0;
#pragma omp target map(tofrom: r)
    r = scale(4) + 1;
    check("in one thread", r, 9.0);
    double s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) firstprivate(scale) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += scale(p[i]) > 0;
    check("firstprivate", s, 64.0);
    const std::pair<int, double> pair(4, 0.5);
    std::tuple<int, double> both_values(1, 2.5);
    enum { three = 3 };
    auto of_library = [pair, both_values](int i) {
        return pair.first * pair.second + std::get<1>(both_values) + i % three;
    };
#pragma omp target map(from : r)
    r = of_library(5);
    using Real = double;
    auto half = [](Real v) -> Real { return v / 2; };
#pragma omp target map(tofrom : r)
    r = half(half(r));
    check("parameters with types of the function", r, 6.5 / 4);
    r = 6.5;
    check("objects of the library, and a constant without a type's name", r, 6.5);
    return report();
}
