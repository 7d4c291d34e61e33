// Policies as template arguments: a class that combines several of them has regions that use each.
#include "check.hpp"

struct Add {
    static constexpr double start = 0;
    static double join(double a, double b) { return a + b; }
};
struct Largest {
    static constexpr double start = -1e300;
    static double join(double a, double b) { return a > b ? a : b; }
};
template <int Power>
struct Raise {
    static double apply(double x)
    {
        double r = 1;
        for (int i = 0; i < Power; ++i)
            r *= x;
        return r;
    }
};
struct Same {
    static double apply(double x) { return x; }
};

template <class Join, class Map = Same>
struct Pipeline : private Join, private Map {
    double *scratch;
    explicit Pipeline(double *s) : scratch(s) {}
    double run(const double *x, int n)
    {
        double *s = scratch;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: s[0:n])
        for (int i = 0; i < n; ++i)
            s[i] = Map::apply(x[i]);
        double result = Join::start;
#pragma omp target map(to: s[0:n]) map(tofrom: result)
        for (int i = 0; i < n; ++i)
            result = Join::join(result, s[i]);
        return result;
    }
};

int main()
{
    double x[5] = {1, -2, 3, -4, 2}, scratch[5];
    check("sum", Pipeline<Add>(scratch).run(x, 5), 0.0);
    check("squares", Pipeline<Add, Raise<2>>(scratch).run(x, 5), 34.0);
    check("largest cube", Pipeline<Largest, Raise<3>>(scratch).run(x, 5), 27.0);
    return report();
}
