// Closures as arguments of templates with regions.
// reference: -O1
#include "check.hpp"
#include <vector>

template <class F>
void for_each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

template <class T, class F>
T reduce(int n, T start, const F &f)
{
    T sum = start;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += f(i);
    return sum;
}

template <class F>
void twice(int n, F f)
{
    for_each(n, f);
    for_each(n, f);
}

struct Scale {
    double *x;
    double factor;
    void operator()(int i) const { x[i] *= factor; }
};

static double offset(int i) { return i + 0.5; }

int main()
{
    const int n = 100;
    std::vector<double> storage(n, 1.0), other(n, 2.0);
    double *x = storage.data(), *y = other.data();
    double a = 3;
    int shift = 4;
#pragma omp target data map(tofrom: x[0:n]) map(to: y[0:n])
    {
        for_each(n, [=](int i) { x[i] = a * y[i] + x[i] + shift; });
        twice(n, [x](int i) { x[i] += 1; });
        for_each(n, [x, y, k = shift / 2](int i) { x[i] += k * offset(i) * y[i]; });
        const double sum = reduce(n, 1.0, [=](int i) { return x[i]; });
        check("reduce", sum, 1.0 + 100 * 13 + 4 * (4950 + 50));
    }
    check("x", x[10], 13 + 4 * 10.5);
    check("no capture", reduce(10, 0, [](int i) { return i * i; }), 285);
    check("another one", reduce(10, 0, [](int i) { return -i; }), -45);
    check("by value", reduce(10, 0.0, [a, shift](int i) { return a * i + shift; }), 175.0);
    auto stored = [shift](int i) -> long {
        if (i % 2)
            return shift;
        return -i;
    };
    check("stored", reduce(5, 0L, stored), 8L - 6);
    return report();
}
