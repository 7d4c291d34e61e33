/* OMP_NUM_TEAMS and OMP_TEAMS_THREAD_LIMIT, by their API twins: limits where no clause says, and nowhere else. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#ifndef _OPENMP
#define omp_get_num_teams() 1
#define omp_get_num_threads() 1
#define omp_get_thread_limit() 1
#endif

int main(void)
{
    int teams = 0, threads = 0, sum = 0;
#ifdef _OPENMP
    extern void omp_set_num_teams(int), omp_set_teams_thread_limit(int);
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
#pragma omp target teams num_teams(6) thread_limit(4) map(tofrom : teams, threads)
    {
#pragma omp atomic write
        teams = omp_get_num_teams();
#pragma omp atomic write
        threads = omp_get_thread_limit();
    }
    CHECK(!SEPARATE || (teams == 6 && threads <= 4));
    return CHECK_RESULT();
}
