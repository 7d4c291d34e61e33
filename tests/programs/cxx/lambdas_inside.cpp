// Lambda expressions in regions: captures of every kind, generic ones, and ones that are called at once.
// reference: -O1
#include "check.hpp"

template <class F>
double integrate(F f, double a, double b, int steps)
{
    const double h = (b - a) / steps;
    double sum = 0;
    for (int i = 0; i < steps; ++i)
        sum += f(a + (i + 0.5) * h);
    return sum * h;
}

int main()
{
    const int n = 16;
    double out[n];
    double factor = 2;
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < n; ++i) {
        auto linear = [=](double x) { return factor * x + i; };
        double s = integrate(linear, 0, 1, 4);
        auto add = [&s](double v) { s += v; };
        add(1);
        auto generic = [](auto a, auto b) { return a < b ? b : a; };
        s += generic(1, 2) + generic(0.5, 0.25);
        s += [i]() -> int { return i * 2; }();
        int count = 0;
        auto counter = [count]() mutable { return ++count; };
        counter();
        s += counter() + count;
        out[i] = s;
    }
    check("out", out[3], 1 + 3 + 1 + 2 + 0.5 + 6 + 2.0);
    return report();
}
