/* Atomic accesses that are not relaxed order what is done before a write and what follows a read of it, and nothing else. */
#include <omp.h>

enum { N = 48, THREADS = 4, TEAMS = 6 };

static void counters(int *counts, int *sum)
{
#pragma omp target teams distribute parallel for map(tofrom: counts[0:3], sum[0:2])
    for (int i = 0; i < N; ++i) {
        sum[0] += i; // rex-expect: race
#pragma omp atomic update seq_cst
        counts[i % 3] += 1;
        sum[1] += i; // rex-expect: race
    }
}

static void turns(int *turn, int *data, int *own)
{
#pragma omp target parallel num_threads(THREADS) map(tofrom: turn[0:1], data[0:2], own[0:THREADS])
    {
        const int me = omp_get_thread_num();
        int now;
        do {
#pragma omp atomic read acquire
            now = turn[0];
        } while (now != me);
        data[0] += me;
#pragma omp atomic write release
        turn[0] = me + 1;
        own[me] = 1;
        own[(me + 1) % THREADS] += 1; // rex-expect: race
    }
}

/* The sign is relaxed, so nothing that is written before it need be there. */
static void relaxed_turns(int *turn, int *data)
{
#pragma omp target parallel num_threads(THREADS) map(tofrom: turn[0:1], data[0:2])
    {
        const int me = omp_get_thread_num();
        int now;
        do {
#pragma omp atomic read
            now = turn[0];
        } while (now != me);
        data[0] += me; // rex-expect: race
#pragma omp atomic write
        turn[0] = me + 1;
    }
}

/* The order is that of another object than the one that is waited for. */
static void other_object(int *turn, int *other, int *data)
{
#pragma omp target parallel num_threads(THREADS) map(tofrom: turn[0:1], other[0:THREADS], data[0:2])
    {
        const int me = omp_get_thread_num();
        int now;
        do {
#pragma omp atomic read
            now = turn[0];
        } while (now != me);
        data[0] += me; // rex-expect: race
#pragma omp atomic write release
        other[me] = 1;
#pragma omp atomic write
        turn[0] = me + 1;
    }
}

/* The last team, which its count tells, adds up what all teams have left. */
static void last_team(int *part, int *count, int *sum)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(2) map(from: part[0:2 * TEAMS]) map(tofrom: count[0:1], sum[0:1])
    {
        const int team = omp_get_team_num(), teams = omp_get_num_teams();
        int last = 0;
#pragma omp parallel shared(last)
        {
            int before;
#pragma omp for
            for (int i = 0; i < 2; ++i)
                part[2 * team + i] = team;
            if (omp_get_thread_num() == 0) {
#pragma omp atomic capture acq_rel
                before = count[0]++;
                last = before == teams - 1;
            }
#pragma omp barrier
            if (last && omp_get_thread_num() == omp_get_num_threads() - 1)
                for (int k = 0; k < 2 * teams; ++k)
                    sum[0] += part[k];
        }
    }
}

/* The same with a count that orders nothing. */
static void last_team_relaxed(int *part, int *count, int *sum)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(2) map(from: part[0:TEAMS]) map(tofrom: count[0:1], sum[0:1])
    {
        const int team = omp_get_team_num(), teams = omp_get_num_teams();
        int before;
        part[team] = team;
#pragma omp atomic capture
        before = count[0]++;
        if (before == teams - 1)
            for (int k = 0; k < teams; ++k)
                sum[0] += part[k]; // rex-expect: race
    }
}

/* So many iterations come one after the other that their order is kept as a whole. */
static void long_chain(int *next, int *data)
{
#pragma omp target teams distribute parallel for map(tofrom: next[0:1], data[0:1])
    for (int i = 0; i < 2000; ++i) {
        int before;
#pragma omp atomic capture acq_rel
        before = next[0]++;
        if (before == 1999)
            data[0] = i;
    }
}

int main(void)
{
    int counts[3] = {0}, sum[2] = {0}, turn = 0, data[2] = {0}, own[THREADS] = {0}, part[2 * TEAMS];
    counters(counts, sum);
    turns(&turn, data, own);
    turn = 0;
    relaxed_turns(&turn, data);
    turn = 0;
    other_object(&turn, own, data);
    turn = 0;
    last_team(part, &turn, sum);
    turn = 0;
    last_team_relaxed(part, &turn, sum);
    turn = 0;
    long_chain(&turn, data);
    return (sum[0] + sum[1] + data[0] + own[1]) & 0;
}
