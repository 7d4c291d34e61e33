/* Control flow around parallel regions: loops with break and continue, conditions, do, switch, early ends. */
#include "check.h"

#include <omp.h>

#define N 64

int main(void)
{
    double x[N];
    int iterations = 0, phases = 0, small = 0;

    for (int i = 0; i < N; ++i)
        x[i] = 1000.0 + i;

    /* Iterate until the largest value is small. */
#pragma omp target map(tofrom: x, iterations)
    {
        double largest = 1e9;
        while (largest > 10.0) {
            double most = 0;
#pragma omp parallel for reduction(max: most)
            for (int i = 0; i < N; ++i) {
                x[i] *= 0.5;
                if (x[i] > most)
                    most = x[i];
            }
            largest = most;
            ++iterations;
        }
    }
    CHECK(iterations == 7 && x[0] == 7.8125);

    /* break, continue and a region that is skipped. */
    int a[N] = {0};
#pragma omp target map(tofrom: a, phases)
    {
        for (int phase = 0;; ++phase) {
            if (phase == 2)
                continue;
            if (phase % 2) {
#pragma omp parallel for
                for (int i = 0; i < N; ++i)
                    a[i] += 1;
            } else if (phase < 4) {
#pragma omp parallel for
                for (int i = 0; i < N; ++i)
                    a[i] += 10;
            }
            phases += 1;
            if (a[5] >= 13)
                break;
        }
    }
    CHECK(phases == 5 && a[0] == 13 && a[N - 1] == 13);

    /* do and switch. */
#pragma omp target map(tofrom: a) map(from: small)
    {
        int k = 0;
        do {
            switch (k % 3) {
            case 0:
#pragma omp parallel for
                for (int i = 0; i < N; ++i)
                    a[i] = i;
                break;
            case 1: {
#pragma omp parallel num_threads(4)
                {
#pragma omp for
                    for (int i = 0; i < N; ++i)
                        a[i] *= 2;
                }
                break;
            }
            default:
                a[0] = -1;
            }
        } while (++k < 3);
        small = a[0] + a[N - 1];
    }
    CHECK(small == 2 * (N - 1) - 1);

    /* Different ways in different teams; control flow inside parallel regions. */
    int ways[8] = {0}, teams = 0;
#pragma omp target teams num_teams(8) map(tofrom: ways) map(from: teams)
    {
        int team = omp_get_team_num(), count = 0;
        if (team == 0)
            teams = omp_get_num_teams();
        for (int round = 0; round < team; ++round) {
#pragma omp parallel for reduction(+: count)
            for (int i = 0; i < 30; ++i) {
                if (i % 2)
                    continue;
                int n = i;
                while (n > 0) {
                    n -= 7;
                    if (n == 1)
                        break;
                }
                if (n == 1)
                    count += 1;
            }
        }
        ways[team] = count;
    }
    for (int t = 0; t < 8; ++t)
        CHECK(ways[t] == (t < teams ? 2 * t : 0));
    return CHECK_RESULT();
}
