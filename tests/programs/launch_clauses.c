/* num_teams, thread_limit and num_threads: upper bounds, given as constants and as expressions. */
#include "check.h"

#include <omp.h>

#define N 2000

int main(void)
{
    int teams = 0, threads = 0, a[N], half = 4;

#pragma omp target teams num_teams(half) map(from: teams)
    {
        if (omp_get_team_num() == 0)
            teams = omp_get_num_teams();
    }
    CHECK(teams >= 1 && teams <= 4);

#pragma omp target teams num_teams(2 * half - 7) thread_limit(16) map(from: teams, threads)
    {
        int team = omp_get_team_num();
#pragma omp parallel
        {
            if (team == 0 && omp_get_thread_num() == 0) {
                teams = omp_get_num_teams();
                threads = omp_get_num_threads();
            }
        }
    }
    CHECK(teams == 1 && threads >= 1 && threads <= 16);

#pragma omp target parallel num_threads(3) map(from: threads)
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK(threads >= 1 && threads <= 3);

#pragma omp target parallel num_threads(1) map(from: threads)
    threads = omp_get_num_threads();
    CHECK(threads == 1);

    int largest_thread = 0, largest_team = 0;
#pragma omp target teams distribute parallel for num_teams(3) num_threads(40) reduction(max: largest_thread, largest_team)
    for (int i = 0; i < N; ++i) {
        if (omp_get_thread_num() > largest_thread)
            largest_thread = omp_get_thread_num();
        if (omp_get_team_num() > largest_team)
            largest_team = omp_get_team_num();
    }
    CHECK(largest_thread < 40 && largest_team < 3);

    /* More threads than iterations, and far more iterations than threads. */
#pragma omp target teams distribute parallel for num_teams(100) thread_limit(128) map(from: a)
    for (int i = 0; i < 5; ++i)
        a[i] = i;
    CHECK(a[0] == 0 && a[4] == 4);
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(from: a)
    for (int i = 0; i < N; ++i)
        a[i] = N - i;
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == N - i);
    return CHECK_RESULT();
}
