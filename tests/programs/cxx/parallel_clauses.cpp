// Parallel regions inside of regions, with private copies, reductions, conditions and numbers of threads.
#include "check.hpp"
#include <omp.h>

int main()
{
    int a[96] = {}, sum = 0, teams = 0, kept = 0, last = 0, threads = 0;
#pragma omp target teams num_teams(4) map(tofrom: a, teams)
    {
        int base = omp_get_team_num() * 24, t = omp_get_num_teams();
        int work = 5;
#pragma omp parallel for firstprivate(work) shared(a, base) default(none)
        for (int i = 0; i < 24; ++i) {
            work += i;
            a[base + i] = base + i;
        }
        if (omp_get_team_num() == 0)
            teams = t;
    }
    int covered = 0;
    for (int i = 0; i < 24 * teams; ++i)
        covered += a[i] == i;
    check("teams", covered, 24 * teams);
#pragma omp target map(tofrom: sum, kept, last, threads)
    {
        int x = 7, p = 1;
#pragma omp parallel num_threads(3) private(p) reduction(+: sum)
        {
            p = omp_get_thread_num();
            sum += 1 + 0 * p;
#pragma omp single
            threads = omp_get_num_threads();
        }
#pragma omp parallel for if (0) lastprivate(last) schedule(static, 2)
        for (int i = 0; i < 10; ++i)
            last = i * 2;
#pragma omp parallel if (x > 100) proc_bind(close)
        {
#pragma omp critical(count)
            kept += omp_get_num_threads();
        }
    }
    check("sum", sum, threads);
    check("last", last, 18);
    check("kept", kept, 1);
    return report();
}
