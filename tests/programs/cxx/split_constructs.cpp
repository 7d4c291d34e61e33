// Combined constructs that are written as several directives.
#include "check.hpp"

int main()
{
    int a[120] = {}, s = 0;
#pragma omp target map(tofrom: a)
#pragma omp teams
#pragma omp distribute
    for (int i = 0; i < 120; ++i)
        a[i] += 1;
#pragma omp target map(tofrom: a)
    {
#pragma omp teams num_teams(3)
        {
#pragma omp distribute parallel for
            for (int i = 0; i < 120; ++i)
                a[i] += 2;
        }
    }
#pragma omp target teams map(tofrom: a)
#pragma omp distribute
    for (int b = 0; b < 6; ++b) {
#pragma omp parallel for
        for (int i = 0; i < 20; ++i)
            a[b * 20 + i] += 4;
    }
#pragma omp target map(tofrom: a)
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < 120; ++i)
        a[i] += 8;
#pragma omp target teams distribute map(tofrom: a)
    for (int b = 0; b < 6; ++b) {
#pragma omp simd
        for (int i = 0; i < 20; ++i)
            a[b * 20 + i] += 16;
    }
#pragma omp target teams map(to: a) map(tofrom: s) reduction(+: s)
#pragma omp distribute parallel for reduction(+: s)
    for (int i = 0; i < 120; ++i)
        s += a[i];
    for (int v : a)
        check("a", v, 31);
    check("s", s, 31 * 120);
    return report();
}
