// Closures and classes of functions at the same places of two units whose device code is linked.
#include "each.hpp"
#include "../check.hpp"

double Work::first(double *p) const
{
    const int n = this->n;
    const double k = 2;
#pragma omp target data map(tofrom: p[0:n])
    each(n, [=](int i) { p[i] *= k; });
    struct Scaled {
        double k;
        double operator()(double v) const { return v * k; }
    };
    on_each(n, p, Scaled{3});
#pragma omp target data map(tofrom: p[0:n])
    add(p, 1.0, n);
    return p[n - 1];
}

double others(int n);

int main()
{
    double p[50], q[50];
    for (int i = 0; i < 50; ++i)
        p[i] = i, q[i] = 1;
    Work work{50};
    check("this unit's", work.first(p), 49 * 6 + 1.5);
    check("the other's method", work.second(p, q), 289.0);
    check("the other's", others(50), 49 * 3.0 + 1 + 2);
    return report();
}
