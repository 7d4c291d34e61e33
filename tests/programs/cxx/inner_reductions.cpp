// Reductions of loops inside of a distributed loop.
#include "check.hpp"

int main()
{
    const int n = 12, m = 33;
    static double a[n][m], r[n];
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i][j] = i + j;
#pragma omp target teams distribute map(to: a) map(from: r)
    for (int i = 0; i < n; ++i) {
        double s = 0;
#pragma omp parallel for reduction(+: s)
        for (int j = 0; j < m; ++j)
            s += a[i][j];
        r[i] = s;
    }
    check("parallel for", r[2], 528.0 + 66);
    double t = 0;
#pragma omp target teams distribute parallel for reduction(+: t) map(to: a)
    for (int i = 0; i < n; ++i) {
        double s = 0;
#pragma omp simd reduction(+: s)
        for (int j = 0; j < m; ++j)
            s += a[i][j];
        t += s;
    }
    check("simd", t, 12 * 528.0 + 33 * 66);
    double most = 0;
#pragma omp target map(to: a) map(tofrom: most)
#pragma omp teams distribute reduction(max: most)
    for (int i = 0; i < n; ++i) {
        double best = 0;
#pragma omp parallel for reduction(max: best)
        for (int j = 0; j < m; ++j)
            if (a[i][j] > best)
                best = a[i][j];
        if (best > most)
            most = best;
    }
    check("max", most, double(n + m - 2));
    int both[2] = {0, 0};
#pragma omp target teams distribute map(tofrom: both)
    for (int i = 0; i < 2; ++i) {
        int even = 0, odd = 0;
#pragma omp parallel for reduction(+: even, odd) collapse(2)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 4; ++k)
                ((j + k) % 2 ? odd : even) += 1;
        both[i] = even * 100 + odd;
    }
    check("two at once", both[1], 1010);
    return report();
}
