// Loops that constructs around them do not share out: every team, or every thread, runs all iterations.
#include "check.hpp"
#include <omp.h>

int main()
{
    int a = 0, teams = 0, c = 0, threads = 0;
#pragma omp target map(tofrom: a, teams)
#pragma omp teams num_teams(4)
    {
        if (omp_get_team_num() == 0)
            teams = omp_get_num_teams();
#pragma omp parallel
#pragma omp for
        for (int i = 0; i < 50; ++i) {
#pragma omp atomic
            a += 1;
        }
    }
    check("parallel for in teams", a, 50 * teams);
    a = 0;
#pragma omp target map(tofrom: a)
#pragma omp teams num_teams(teams)
#pragma omp parallel for
    for (int i = 0; i < 50; ++i) {
#pragma omp atomic
        a += 1;
    }
    check("directly in teams", a, 50 * teams);
#pragma omp target parallel num_threads(4) map(tofrom: c, threads)
    {
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp simd
        for (int i = 0; i < 50; ++i) {
#pragma omp atomic
            c += 1;
        }
    }
    check("simd in parallel", c, 50 * threads);
    c = 0;
#pragma omp target parallel num_threads(threads) map(tofrom: c)
#pragma omp simd
    for (int i = 0; i < 50; ++i) {
#pragma omp atomic
        c += 1;
    }
    check("directly in parallel", c, 50 * threads);
    double part = 0;
#pragma omp target teams num_teams(teams) reduction(+: part) map(tofrom: part)
    {
#pragma omp parallel reduction(+: part)
        {
#pragma omp simd reduction(+: part)
            for (int i = 0; i < 50; ++i)
                part += 1.0 / omp_get_num_threads();
        }
    }
    check("reductions", part > 49.9 * teams && part < 50.1 * teams, true);
    return report();
}
