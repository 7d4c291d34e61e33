// Names that hide others: constants, parameters, members and names of loops and blocks.
#include "check.hpp"

const int n = 7;
static double scale = 2;

template <class T>
T sum(const T *x, int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += x[i];
    return s;
}

struct Box {
    int n;
    double scale;
    double total(const double *x) const
    {
        double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: s)
        for (int i = 0; i < n; ++i) {
            const double factor = this->scale + ::scale;
            s += x[i] * factor + ::n;
        }
        return s;
    }
};

int main()
{
    const int n = 10;
    constexpr double f = 2;
    double x[n];
    for (int i = 0; i < n; ++i)
        x[i] = i;
    double r = 0;
#pragma omp target teams distribute parallel for map(to: x) reduction(+: r)
    for (int i = 0; i < n; ++i) {
        const int n = 3;
        r += f * x[i] + n;
    }
    check("hidden in the loop", r, 120.0);
    {
        const int n = 5;
        r = 0;
#pragma omp target teams distribute parallel for map(to: x) reduction(+: r)
        for (int i = 0; i < n; ++i)
            r += f * x[i] + n + ::n;
    }
    check("hidden in a block", r, 20.0 + 25 + 35);
    r = 0;
#pragma omp target map(to: x) map(tofrom: r)
    for (int n = 0; n < 3; ++n) {
        double x = n;
        {
            int n = 100;
            x += n;
        }
        r += x;
    }
    check("hidden by a loop", r, 303.0);
    check("a parameter", sum(x, 4), 6.0);
    check("a member", Box{3, 1}.total(x), 9.0 + 21);
    return report();
}
