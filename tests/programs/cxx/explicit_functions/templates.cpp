// Function templates with regions that are instantiated explicitly, and that only another unit calls.
#include "templates.hpp"

template <int N> void fill(int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] += N;
}
template void fill<64>(int *, int);
template void fill<2>(int *, int);

namespace app {
namespace inner {
template <class T, int N> std::pair<T, int> pairs(T *a, const std::pair<T, int> &by)
{
#pragma omp target map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += by.first;
    return by;
}
template std::pair<double, int> pairs<double>(double *, const std::pair<double, int> &);

template <class T> void each(T *a)
{
#pragma omp target map(tofrom: a[0:2])
    a[1] = 5;
}
template void each(double *);
extern template void each(float *);
} // namespace inner
} // namespace app

template <class T> void Adder<T>::add(T *a) const
{
#pragma omp target map(tofrom: a[0:2])
    a[1] += 5;
}
template <class T> void Adder<T>::put(T *a)
{
#pragma omp target map(tofrom: a[0:2])
    a[0] += 5;
}
template void Adder<double>::add(double *) const;
template void Adder<double>::put(double *);
