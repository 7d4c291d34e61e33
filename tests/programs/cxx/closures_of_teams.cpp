// Closures with pointers in regions whose teams have parallel regions inside, as layers with two levels have them.
#include "check.hpp"
#include <vector>

struct flat {
    template <class F> static void run(int n, int m, F f)
    {
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < m; ++j)
                f(i, j);
    }
};

struct nested {
    template <class F> static void run(int n, int m, F f)
    {
#pragma omp target teams distribute
        for (int i = 0; i < n; ++i) {
#pragma omp parallel for
            for (int j = 0; j < m; ++j)
                f(i, j);
        }
    }
};

struct one_team {
    template <class F> static void run(int n, int m, F f)
    {
#pragma omp target parallel
        {
            for (int i = 0; i < n; ++i) {
#pragma omp for
                for (int j = 0; j < m; ++j)
                    f(i, j);
            }
        }
    }
};

struct of_threads {
    template <class F> static void run(int n, int m, F f)
    {
#pragma omp target teams num_teams(4)
        {
            int rows = 0; // what the team's first thread counts
#pragma omp distribute
            for (int i = 0; i < n; ++i) {
                rows++;
#pragma omp parallel for num_threads(1 + rows % 3)
                for (int j = 0; j < m; ++j)
                    f(i, j);
            }
        }
    }
};

struct numbers {
    double v[12];
};

template <class Policy> double filled(int n, int m)
{
    std::vector<double> v(n * m), w(n * m, 1);
    double *p = v.data(), scale = 0.5;
    const double *q = w.data();
#pragma omp target data map(tofrom : p[0 : n * m]) map(to : q[0 : n * m])
    {
        Policy::run(n, m, [=](int i, int j) { p[i * m + j] = 2.0 * i + j + q[i * m + j]; });
        Policy::run(n, m, [p, &q, m, scale](int i, int j) { p[i * m + j] *= scale * q[j]; });
        const numbers added{{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}; // too many to be in every thread
        Policy::run(n, m, [p, added, m](int i, int j) { p[i * m + j] += added.v[i % 2]; });
    }
    double sum = 0;
    for (double one : v)
        sum += one;
    return sum;
}

int main()
{
    const double known = filled<flat>(13, 37);
    check("flat", known, 0.5 * (2.0 * 12 * 13 / 2 * 37 + 13 * 36 * 37 / 2 + 13 * 37));
    check("nested", filled<nested>(13, 37), known);
    check("one team", filled<one_team>(13, 37), known);
    check("threads", filled<of_threads>(13, 37), known);
    return report();
}
