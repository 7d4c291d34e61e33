#pragma once
#include <cmath>
namespace geo {
template <class T> struct Vec
{
    T x, y, z;
    T dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    T length() const { return std::sqrt(dot(*this)); }
};
template <class T> Vec<T> operator*(T k, const Vec<T> &v) { return {k * v.x, k * v.y, k * v.z}; }

template <class T> void normalise(Vec<T> *v, int n)
{
#pragma omp target teams distribute parallel for map(tofrom : v[0 : n])
    for (int i = 0; i < n; i++)
        v[i] = (T(1) / v[i].length()) * v[i];
}

inline double energy(const double *m, int n)
{
    double e = 0;
#pragma omp target teams distribute parallel for map(to : m[0 : n]) reduction(+ : e)
    for (int i = 0; i < n; i++)
        e += m[i] * m[i];
    return e;
}
} // namespace geo
extern "C" {
void c_scale(double *x, int n, double k);
int c_count(const int *x, int n);
}
