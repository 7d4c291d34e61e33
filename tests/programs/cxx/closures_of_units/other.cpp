// The places of the closures and of the class are those of the first unit.

#include "each.hpp"

double Work::second(double *p, double *q) const
{
    const int n = this->n;
    const double k = 3;
#pragma omp target data map(tofrom: p[0:n], q[0:n])
    each(n, [=](int i) { q[i] -= k; p[i] += q[i] + 4; });
    struct Scaled {
        double low, k;
        double operator()(double v) const { return v - low * k; }
    };
    on_each(n, p, Scaled{4, 2});
    return p[n - 1] - q[0] - 3;
}

double others(int n)
{
    float *f = new float[n];
    double *d = new double[n], k = 3, l = 1;
    for (int i = 0; i < n; ++i)
        f[i] = 1, d[i] = i;
#pragma omp target data map(tofrom: f[0:n], d[0:n])
    {
        add(f, 1.0f, n);
        each(n, [l, k, f, d](int i) { d[i] = d[i] * k + l; d[i] += f[i]; });
    }
    const double found = d[n - 1];
    delete[] f;
    delete[] d;
    return found;
}

#pragma omp declare target
double shifted(double value)
{
    return value + 0.5;
}
#pragma omp end declare target
