// Parallel regions, worksharing, single, critical, barriers and atomics inside of generic regions.
#include "check.hpp"
#include <omp.h>

int main()
{
    const int n = 200;
    double a[n];
    for (int i = 0; i < n; ++i)
        a[i] = i;
    double total = 0, inner = 0;
    int ones = 0, sections = 0, count = 0;
#pragma omp target map(to: a) map(tofrom: total, inner, ones, sections, count)
    {
        double local = 0;
        int hits[2] = {0, 0};
#pragma omp parallel for reduction(+ : local)
        for (int i = 0; i < n; ++i)
            local += a[i];
        total = local;
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < n; ++i) {
#pragma omp atomic
                inner += 1;
            }
#pragma omp single
            ones += 1;
#pragma omp critical
            count = count + (omp_get_thread_num() == 0);
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp atomic
                    sections += 1;
                }
#pragma omp section
                {
#pragma omp atomic
                    sections += 10;
                }
            }
        }
        hits[0] = 1;
        ones += hits[0];
    }
    check("a reduction in a region", total, 19900.0);
    check("atomic in a loop", inner, 200.0);
    check("single", ones, 2);
    check("critical", count, 1);
    check("sections", sections, 11);
    double rows[8][8];
#pragma omp target teams distribute map(from: rows)
    for (int i = 0; i < 8; ++i) {
        double base = i * 10;
#pragma omp parallel for
        for (int j = 0; j < 8; ++j)
            rows[i][j] = base + j;
    }
    check("teams and threads", rows[7][5], 75.0);
    int seen = 0;
#pragma omp target parallel map(tofrom: seen) num_threads(4)
    {
#pragma omp atomic update
        seen = seen + 1;
    }
    check("target parallel", seen >= 1, true);
    return report();
}
