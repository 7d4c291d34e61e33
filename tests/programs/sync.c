/* barrier, single, master and masked inside parallel regions. */
#include "check.h"

#include <omp.h>

#define MAX 32

int main(void)
{
    int first[MAX], second[MAX], third[MAX], threads = 0, singles = 0, masters = 0, late = 0;

#pragma omp target parallel num_threads(MAX) map(from: first, second, third, threads) map(tofrom: singles, masters, late)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        first[me] = 10 * me;
#pragma omp barrier
        second[me] = first[(me + 1) % n];
#pragma omp barrier
        third[me] = second[(me + n - 1) % n];

#pragma omp single
        {
            singles += 1;
            threads = n;
        }
        /* The end of single is a barrier: every thread sees the value. */
        if (threads != n) {
#pragma omp atomic
            late += 1;
        }
#pragma omp master
        masters += 1;
#pragma omp barrier
#pragma omp single nowait
        singles += 10;
#pragma omp masked
        {
            masters += omp_get_thread_num() == 0 ? 10 : 1000;
        }
    }
    CHECK(threads >= 1 && singles == 11 && masters == 11 && late == 0);
    for (int t = 0; t < threads; ++t) {
        CHECK(second[t] == 10 * ((t + 1) % threads));
        CHECK(third[t] == first[t]);
    }

    /* Barriers in a loop: a scan with doubling distances. */
    int scan[MAX], next[MAX];
#pragma omp target map(from: scan) map(alloc: next)
    {
        int count = 1;
#pragma omp parallel num_threads(MAX) shared(count)
        {
            int me = omp_get_thread_num();
#pragma omp single
            count = omp_get_num_threads();
            scan[me] = me + 1;
#pragma omp barrier
            for (int distance = 1; distance < count; distance *= 2) {
                next[me] = scan[me] + (me >= distance ? scan[me - distance] : 0);
#pragma omp barrier
                scan[me] = next[me];
#pragma omp barrier
            }
        }
        for (int t = count; t < MAX; ++t)
            scan[t] = scan[t - 1] + t + 1;
    }
    for (int t = 0; t < MAX; ++t)
        CHECK(scan[t] == (t + 1) * (t + 2) / 2);

    /* In teams: barriers and single belong to one team. */
    int per_team[6] = {0}, teams = 0;
#pragma omp target teams num_teams(6) thread_limit(8) map(tofrom: per_team) map(from: teams)
    {
        int team = omp_get_team_num(), value = 0;
#pragma omp parallel
        {
#pragma omp single
            value = team + 1;
#pragma omp barrier
#pragma omp masked
            per_team[team] = value * 100;
        }
        if (team == 0)
            teams = omp_get_num_teams();
    }
    for (int t = 0; t < 6; ++t)
        CHECK(per_team[t] == (t < teams ? 100 * (t + 1) : 0));
    return CHECK_RESULT();
}
