// Expressions that C has as well, and those that only look so.
#include <cmath>
#include <vector>

struct Pair {
    int i, n;
    double operator[](int at) const { return at * 0.5; }
};
constexpr double operator""_k(long double x) { return double(x) * 1000; }
constexpr int n_of_file = 64;

double plain(double *x, int n)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        s += x[i] * (i % 3 ? 2.5e3 : 0x1p4) + 1'000; // rex-expect: reduction
    return s;
}

void behind(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i + 1] = 2.0 * i; // rex-expect: bounds (likely)
}

void members(double *x, int n)
{
    Pair p{3, n};
    int i = 7;
#pragma omp target teams distribute parallel for map(from: x[0:n]) firstprivate(p)
    for (int j = 0; j < n; ++j)
        x[j] = p.i + p[j] + i + 2.0_k;
}

template <class T, int N>
T shifted(T *x)
{
    T first = x[0];
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] = T(i) + T{2} * N;
    return first + x[N - 1];
}

double right(std::vector<double> &v)
{
    double *x = v.data();
    double &first = x[0];
    auto twice = [&](double y) { return 2 * y + first; };
#pragma omp target teams distribute parallel for map(tofrom: x[0:n_of_file])
    for (int i = 0; i < n_of_file; ++i)
        x[i] = not(i % 2) and i > 3 ? std::sqrt(x[i]) : -x[i];
    return twice(x[1]) + shifted<double, 8>(x) + shifted<float, 4>(new float[4]{1, 2, 3, 4});
}
