// Regions in lambda expressions that initialise variables outside of functions, and such closures as arguments.
#include "check.hpp"

namespace app {
static int begun = [] {
    int r = 1;
#pragma omp target map(tofrom: r)
    r += 4;
    return r;
}();
constexpr auto cube = [](int x) { return x * x * x; };
}

const double sums = [](int n) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += i;
    return s;
}(10);

int twice(int x) { return 2 * x; }
auto doubled = [](int *p, int n) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = twice(p[i]);
};
static const auto half = [](int x) { return x / 2; };

template <class F> struct Holder {
    F f = app::cube;
    int of(int x)
    {
        F own = f;
#pragma omp target map(tofrom: x)
        x = own(x);
        return x;
    }
};
template <class F> int apply(F f, int x)
{
#pragma omp target map(tofrom: x)
    x = f(x);
    return x;
}

int main()
{
    int a[3] = {1, 2, 3};
    doubled(a, 3);
    check("called", a[2], 6);
    check("before main", app::begun, 5);
    check("sum", sums, 45.0);
    check("type", Holder<decltype(app::cube)>().of(3), 27);
    check("argument", apply(app::cube, 2), 8);
    check("constant", apply(half, 9), 4);
    int y = 2;
#pragma omp target map(tofrom: y)
    y = app::cube(y) + half(4);
    check("named", y, 10);
    return report();
}
