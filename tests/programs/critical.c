/* critical: unnamed and named, over the threads of one team (the contention group) and the iterations of a loop. */
#include "check.h"

#include <omp.h>

#define N 400

struct best {
    int value, index;
};

int main(void)
{
    int a[N], low = 0, high = 0, order = 0;
    struct best best = {-1, -1};

    for (int i = 0; i < N; ++i)
        a[i] = (i * 61) % 397;

#pragma omp target parallel for map(tofrom: best) map(to: a)
    for (int i = 0; i < N; ++i) {
#pragma omp critical
        {
            if (a[i] > best.value || (a[i] == best.value && i < best.index)) {
                best.value = a[i];
                best.index = i;
            }
        }
    }
    printf("%d %d\n", best.value, best.index);

#pragma omp target parallel for map(tofrom: low, high) map(to: a)
    for (int i = 0; i < N; ++i) {
        if (a[i] < 200) {
#pragma omp critical(low)
            low += a[i];
        } else {
#pragma omp critical (high)
            high += a[i];
        }
    }
    printf("%d %d\n", low, high);

    int threads = 0;
#pragma omp target map(tofrom: order, threads)
    {
        int count = 0, maximum = 0;
#pragma omp parallel num_threads(16)
        {
#pragma omp critical
            {
                int seen = count;
                seen += 1;
                count = seen;
                if (seen > maximum)
                    maximum = seen;
            }
#pragma omp barrier
#pragma omp master
            threads = omp_get_num_threads();
        }
        order = count == maximum ? count : -1;
    }
    CHECK(order == threads);

    /* In teams: each team guards its own variable. */
    int totals[50];
#pragma omp target teams distribute num_teams(7) map(from: totals)
    for (int i = 0; i < 50; ++i) {
        int total = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp critical(sum)
            {
                int seen = total;
                total = seen + i;
            }
#pragma omp barrier
#pragma omp single
            total = total == i * omp_get_num_threads();
        }
        totals[i] = total;
    }
    for (int i = 0; i < 50; ++i)
        CHECK(totals[i] == 1);
    return CHECK_RESULT();
}
