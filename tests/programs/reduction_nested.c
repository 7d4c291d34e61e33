/* reduction on constructs inside a region: parallel, parallel for, for; on target parallel and target teams. */
#include "check.h"

#include <omp.h>

#define N 250

int main(void)
{
    int a[N], total = 0, largest = 0, threads = 0;
    double mean = 0;

    for (int i = 0; i < N; ++i)
        a[i] = (i * 37) % 101;

#pragma omp target map(to: a) map(tofrom: total, largest, mean, threads)
    {
        int sum = 10, maximum = -1, count = 0;
#pragma omp parallel for reduction(+: sum) reduction(max: maximum)
        for (int i = 0; i < N; ++i) {
            sum += a[i];
            if (a[i] > maximum)
                maximum = a[i];
        }
        total = sum;
        largest = maximum;

#pragma omp parallel num_threads(8) reduction(+: count)
        {
            count += 1;
            if (omp_get_thread_num() == 0)
                threads = omp_get_num_threads();
        }
        threads -= count;

        double product = 1, average = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp for reduction(+: average)
            for (int i = 0; i < N; ++i)
                average += a[i];
#pragma omp for reduction(*: product) schedule(static, 3)
            for (int i = 0; i < 20; ++i)
                product *= i % 2 ? 2 : 0.5;
        }
        mean = average / N * product;
    }
    CHECK(largest == 100 && threads == 0);
    printf("%d %.4f\n", total, mean);

    /* Per team. */
    int sums[40];
#pragma omp target teams distribute map(from: sums) map(to: a)
    for (int k = 0; k < 40; ++k) {
        int sum = 0;
#pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < k; ++i)
            sum += a[i];
        sums[k] = sum;
    }
    int expected = 0;
    for (int k = 0; k < 40; ++k) {
        CHECK(sums[k] == expected);
        expected += a[k];
    }

    /* Over teams and threads at once, and a sequential reduction in a simd loop. */
    int over_all = 0;
#pragma omp target teams distribute reduction(+: over_all) map(to: sums)
    for (int k = 0; k < 40; ++k) {
        int part = 0;
#pragma omp simd reduction(+: part)
        for (int i = 0; i <= k; ++i)
            part += sums[i];
        over_all += part;
    }
    printf("%d\n", over_all);
    return CHECK_RESULT();
}
