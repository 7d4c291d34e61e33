/* The split spellings: target on a line of its own, with the rest of the construct nested directly inside. */
#include "check.h"

#include <omp.h>

#define N 517

int main(void)
{
    int a[N], b[N], teams = 0, threads = 0, sum = 0;
    int n = N;

#pragma omp target map(tofrom: teams)
#pragma omp teams num_teams(4) reduction(+: teams)
    teams += 1;
    CHECK(teams >= 1 && teams <= 4);

#pragma omp target map(tofrom: threads)
#pragma omp parallel num_threads(8)
    {
#pragma omp atomic
        threads++;
    }
    CHECK(threads >= 1 && threads <= 8);

#pragma omp target map(from: a)
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        a[i] = i;

#pragma omp target
#pragma omp parallel for simd
    for (int i = 0; i < n; ++i)
        a[i] += 1;

#pragma omp target map(to: a) map(from: b)
#pragma omp teams distribute
    for (int i = 0; i < n; ++i)
        b[i] = a[i] * 2;

#pragma omp target
#pragma omp teams distribute parallel for num_teams(2)
    for (int i = 0; i < n; ++i)
        b[i] += a[i];

#pragma omp target
    {
#pragma omp teams distribute parallel for simd
        for (int i = 0; i < n; ++i)
            a[i] = b[i] - a[i];
    }

#pragma omp target map(tofrom: sum)
    {
#pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < n; ++i)
            sum += a[i];
    }

    for (int i = 0; i < N; ++i) {
        CHECK(b[i] == 3 * (i + 1));
        CHECK(a[i] == 2 * (i + 1));
    }
    CHECK(sum == N * (N + 1));

    sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += b[i];
    printf("%d\n", sum);

#pragma omp target map(from: sum)
#pragma omp teams num_teams(1)
    {
        int twice = 2 * a[0];
        sum = twice + omp_get_team_num();
    }
    printf("%d\n", sum);
    return CHECK_RESULT();
}
