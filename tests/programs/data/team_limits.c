/* OMP_NUM_TEAMS and OMP_TEAMS_THREAD_LIMIT, by their API twins: limits where no clause says, and nowhere else. The same as
 * device code sets and asks for them. Limits of threads, also where the host runs the region. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#ifndef _OPENMP
#define omp_get_num_teams() 1
#define omp_get_team_num() 0
#define omp_get_num_threads() 1
#define omp_get_thread_limit() 1
#endif

#ifdef _OPENMP
#include <omp.h>

static int set_limits(int teams)
{
    omp_set_num_teams(teams);
    omp_set_teams_thread_limit(2 * teams);
    return omp_get_max_teams();
}
#endif

int main(void)
{
    int teams = 0, threads = 0, sum = 0;
#ifdef _OPENMP
    omp_set_num_teams(3);
    omp_set_teams_thread_limit(5);
#endif
#pragma omp target teams map(tofrom : teams, threads)
#pragma omp parallel
    {
#pragma omp atomic write
        teams = omp_get_num_teams();
#pragma omp atomic write
        threads = omp_get_num_threads();
    }
    CHECK(teams >= 1 && teams <= 3 && threads >= 1 && threads <= 5);
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < 10000; ++i)
        sum += i % 7;
    CHECK(sum == 29994);
    int counted[100];
#pragma omp target teams distribute map(from : counted)
    for (int i = 0; i < 100; ++i)
        counted[i] = 100 * omp_get_num_teams() + omp_get_team_num();
    for (int i = 0; i < 100; ++i)
        CHECK(counted[i] / 100 >= 1 && counted[i] / 100 <= 3 && counted[i] % 100 < counted[i] / 100);
#pragma omp target teams num_teams(6) thread_limit(4) map(tofrom : teams, threads)
    {
#pragma omp atomic write
        teams = omp_get_num_teams();
#pragma omp atomic write
        threads = omp_get_thread_limit();
    }
    CHECK(!SEPARATE || (teams == 6 && threads <= 4));
    enum { STEPS = 20000 };
    static int steps[STEPS];
#ifdef _OPENMP
    omp_set_num_teams(1); /* which runs all iterations, in order */
#endif
#pragma omp target teams distribute
    for (int i = 1; i < STEPS; ++i)
        steps[i] = steps[i - 1] + 1;
    CHECK(steps[STEPS - 1] == STEPS - 1);
#ifdef _OPENMP
    int limits[5] = {-1, -1, -1, -1, -1};
    omp_set_num_teams(64);
    omp_set_teams_thread_limit(64);
#pragma omp target map(tofrom : limits)
    {
        limits[0] = set_limits(2);
        limits[1] = omp_get_max_teams();
        limits[2] = omp_get_teams_thread_limit();
    }
    CHECK(limits[0] == 2 && limits[1] == 2 && limits[2] == 4);
#pragma omp target teams map(tofrom : limits)
#pragma omp parallel
    if (omp_get_team_num() + omp_get_thread_num() == 0) {
        limits[3] = omp_get_num_teams();
        limits[4] = omp_get_num_threads();
    }
    CHECK(!SEPARATE || (limits[3] >= 1 && limits[3] <= 2 && limits[4] >= 1 && limits[4] <= 4));

    int most[3] = {0}, limit = 0, before = omp_get_thread_limit(), n = 3;
    omp_set_num_threads(6);
#pragma omp target thread_limit(n) map(tofrom : most, limit)
    {
        limit = omp_get_thread_limit();
#pragma omp parallel num_threads(5)
#pragma omp single
        most[0] = omp_get_num_threads();
    }
#pragma omp target parallel thread_limit(n + 1) map(tofrom : most)
#pragma omp single
    most[1] = omp_get_num_threads();
#pragma omp target map(tofrom : most) nowait depend(out : most)
#pragma omp teams num_teams(1) thread_limit(2)
#pragma omp parallel
#pragma omp master
    most[2] = omp_get_num_threads();
#pragma omp taskwait
    CHECK(limit >= 1 && limit <= 3 && omp_get_thread_limit() == before);
    CHECK(most[0] >= 1 && most[0] <= 3 && most[1] >= 1 && most[1] <= 4 && most[2] >= 1 && most[2] <= 2);
#endif
    return CHECK_RESULT();
}
