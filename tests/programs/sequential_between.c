/* Sequential statements between the parallel regions of target and target teams run once per team. */
#include "check.h"

#include <omp.h>

#define N 96

int main(void)
{
    int a[N], trace[6] = {0}, once = 0;

#pragma omp target map(tofrom: a, trace, once)
    {
        int stage = 0, carry;
        once += 1;
        trace[stage++] = omp_get_num_threads();
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
        once += 1;
        carry = a[N - 1] + a[0];
        trace[stage++] = carry;
#pragma omp parallel num_threads(4)
        {
#pragma omp for
            for (int i = 0; i < N; ++i)
                a[i] += carry;
        }
        carry = 0;
        for (int i = 0; i < N; ++i)
            carry += a[i];
        trace[stage++] = carry;
        {
            int carry = 3;    /* hides the outer one */
#pragma omp parallel for
            for (int i = 0; i < N; ++i)
                a[i] -= carry;
            trace[stage++] = carry;
        }
        trace[stage++] = a[0] + carry;
        trace[stage] = stage;
        once += 1;
    }
    CHECK(once == 3 && trace[0] == 1);
    for (int k = 1; k < 6; ++k)
        printf("%d ", trace[k]);
    printf("\n");
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i + N - 1 - 3);

    /* In every team, with a table of its own. */
    int sums[10] = {0}, teams = 0;
#pragma omp target teams num_teams(10) map(tofrom: sums) map(from: teams)
    {
        int table[16], team = omp_get_team_num();
        double scale = 0.5;
        for (int i = 0; i < 16; ++i)
            table[i] = team;
#pragma omp parallel for
        for (int i = 0; i < 16; ++i)
            table[i] += i;
        int sum = 0;
        for (int i = 0; i < 16; ++i)
            sum += table[i];
        scale *= 4;
#pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < 16; ++i)
            sum += (int)(table[i] * scale);
        sums[team] = sum;
        if (team == 0)
            teams = omp_get_num_teams();
    }
    for (int t = 0; t < 10; ++t)
        CHECK(sums[t] == (t < teams ? 3 * (16 * t + 120) : 0));

    /* A structure and a pointer that live in the region. */
    int result = 0;
#pragma omp target map(from: result) map(to: a)
    {
        struct { int n, *p; } view = {N / 2, a + 1};
        int local[N / 2];
#pragma omp parallel for
        for (int i = 0; i < view.n; ++i)
            local[i] = view.p[i] * 2;
        view.p = local;
        result = view.p[0] + view.p[view.n - 1];
    }
    printf("%d\n", result);
    return CHECK_RESULT();
}
