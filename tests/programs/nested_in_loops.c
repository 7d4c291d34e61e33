/* Parallel regions inside of parallel loops: each has one thread, whatever constructs and questions are in it. */
#include "check.h"

#include <omp.h>

#define N 200

int main(void)
{
    int a[N] = {0}, levels[N] = {0}, threads[N] = {0}, wrong = 0;
    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, levels, threads) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        int count = 0, seen = 0;
#pragma omp parallel reduction(+: count)
        {
            count += 1;
            if (omp_get_thread_num() == 0)
                seen = omp_get_num_threads();
        }
        threads[i] = seen;
#pragma omp parallel for reduction(+: count)
        for (int j = 0; j < 10; ++j)
            count += j;
        a[i] = count;
        levels[i] = omp_get_level();
        sum += count;
    }
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < N; ++i) {
#pragma omp parallel
        {
            int x = 0;
#pragma omp for
            for (int j = 0; j < 4; ++j)
                x += j;
#pragma omp atomic
            a[i] += x;
#pragma omp single
            a[i] += 1;
        }
    }
    for (int i = 0; i < N; ++i)
        wrong += a[i] != 53 || levels[i] != 1 || threads[i] != 1;
    CHECK(wrong == 0 && sum == 46.0 * N);
    return CHECK_RESULT();
}
