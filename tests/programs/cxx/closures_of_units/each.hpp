#pragma once

#pragma omp declare target
double shifted(double value);
#pragma omp end declare target

template <class F> void each(int n, F f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

template <class F> void on_each(int n, double *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = shifted(f(p[i]));
}

template <class T> void add(T *p, T by, int n)
{
    each(n, [=](int i) { p[i] += by; });
}

struct Work {
    int n;
    double first(double *p) const;
    double second(double *p, double *q) const;
};
