/* loop: combined with target, teams and parallel, alone with each binding, nested, and what it can privatise. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#define N 1000
#define M 20

static int a[N], b[N], sum[M], table[M][M], own;
#pragma omp threadprivate(own)

static void clear(void)
{
    for (int i = 0; i < N; ++i) {
        a[i] = i;
        b[i] = -1;
    }
}

static int right(void)
{
    for (int i = 0; i < N; ++i)
        if (b[i] != 2 * i + 1)
            return 0;
    return 1;
}

static int doubled(const int *values, int n)
{
    int total = 0;
#pragma omp loop bind(thread) reduction(+: total)
    for (int i = 0; i < n; ++i)
        total += 2 * values[i];
    return total;
}

int main(void)
{
    int total = 0, last;

    clear();
#ifdef REFERENCE /* gcc does not know the combination */
#pragma omp target
#else
#pragma omp target loop
#endif
    for (int i = 0; i < N; ++i)
        b[i] = 2 * a[i] + 1;
    CHECK(right());

    clear();
#pragma omp target teams loop map(to: a) map(from: b) num_teams(4)
    for (int i = 0; i < N; ++i)
        b[i] = 2 * a[i] + 1;
    CHECK(right());

    clear();
#pragma omp target parallel loop order(concurrent)
    for (int i = 0; i < N; ++i)
        b[i] = 2 * a[i] + 1;
    CHECK(right());

    clear();
    int ups = 0;
#pragma omp target map(tofrom: ups)
#pragma omp loop reduction(+: ups)
    for (int i = 0; i < N; ++i) {
        b[i] = 2 * a[i] + 1;
        ups += a[i] % 2;
    }
    CHECK(right() && ups == N / 2);
#ifdef REFERENCE /* gcc's runtime may wait for ever at the end of such a group */
    ups += M * (M - 1) / 2;
    last = M;
#else
#pragma omp taskgroup task_reduction(+: ups)
    {
#pragma omp target in_reduction(+: ups) map(from: last)
        {
#pragma omp loop collapse(2) reduction(+: ups) lastprivate(last)
            for (last = 0; last < M; ++last)
                for (int j = 0; j < M; ++j)
                    ups += last < j;
        }
    }
#endif
    CHECK(ups == N / 2 + M * (M - 1) / 2 && last == M);

    clear();
#pragma omp target teams
#pragma omp loop bind(teams)
    for (int i = 0; i < N; ++i)
        b[i] = 2 * a[i] + 1;
    CHECK(right());

    clear();
#pragma omp target parallel
    {
#pragma omp loop bind(parallel)
        for (int i = 0; i < N; ++i)
            b[i] = 2 * a[i] + 1;
    }
    CHECK(right());

    clear();
#pragma omp target parallel
    {
#pragma omp loop
        for (int i = 0; i < N; ++i)
            b[i] = 2 * a[i];
#pragma omp loop
        for (int i = 0; i < N; ++i)
            b[i] += 1;
    }
    CHECK(right());

#pragma omp target teams loop reduction(+: total) collapse(2)
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < M; ++j)
            total += i * j;
    CHECK(total == M * (M - 1) / 2 * (M * (M - 1) / 2));

    int extra = 5;
#pragma omp target parallel loop private(extra) lastprivate(last) map(tofrom: table)
    for (last = 0; last < M; ++last) {
        extra = last;
#pragma omp loop bind(thread)
        for (int j = 0; j < M; ++j)
            table[last][j] = extra * j;
    }
    CHECK(last == M && extra == 5);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < M; ++j)
            CHECK(table[i][j] == i * j);

#pragma omp target teams distribute parallel for
    for (int i = 0; i < M; ++i)
        sum[i] = doubled(a + i, 3);
    for (int i = 0; i < M; ++i)
        CHECK(sum[i] == 2 * (3 * i + 3));

#ifndef REFERENCE /* gcc refuses what other compilers take: calls of the API in loops that may run in any order */
    static int by_team[4][N];
    int teams = 0;
#pragma omp target teams num_teams(4) map(from: teams)
    {
#pragma omp loop bind(thread)
        for (int i = 0; i < N; ++i)
            by_team[omp_get_team_num()][i] = i + 1;
#pragma omp parallel
        {
#pragma omp loop order(concurrent)
            for (int i = 0; i < N; ++i)
                by_team[omp_get_team_num()][i] -= omp_is_initial_device() >= 0;
        }
        if (omp_get_team_num() == 0)
            teams = omp_get_num_teams();
    }
    for (int i = 0; i < N; ++i)
        CHECK(by_team[teams - 1][i] == i);
#endif

    /* On the host. */
    total = 0;
#pragma omp parallel loop reduction(+: total)
    for (int i = 0; i < N; ++i)
        total += a[i];
    CHECK(total == N * (N - 1) / 2);
    own = 2;
    total = 0;
#pragma omp parallel loop copyin(own) reduction(+: total)
    for (int i = 0; i < N; ++i)
        total += a[i];
#pragma omp parallel reduction(+: total)
    total += own != 2;
    CHECK(total == N * (N - 1) / 2);
    return CHECK_RESULT();
}
