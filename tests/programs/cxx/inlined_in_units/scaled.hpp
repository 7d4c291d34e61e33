#pragma once

template <class T> __attribute__((always_inline)) inline T scaled(T by, const T *x, T *y, int n)
{
    T sum = by;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] += by * x[i];
#pragma omp target map(tofrom: sum)
    sum += by;
    return sum + y[n - 1];
}
