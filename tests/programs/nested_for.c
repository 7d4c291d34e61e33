/* for inside parallel: the implied barrier, nowait, several loops, private and lastprivate, schedules, descending loops. */
#include "check.h"

#include <omp.h>

#define N 150

int main(void)
{
    int a[N], b[N], c[N], result = 0, last = 0;

#pragma omp target map(from: a, b, c) map(tofrom: result, last)
    {
        int sum = 0, t = -1, tail = 0;
#pragma omp parallel num_threads(8) private(t)
        {
#pragma omp for
            for (int i = 0; i < N; ++i)
                a[i] = i;
            /* The barrier at the end of the loop makes all of a visible. */
#pragma omp for nowait
            for (int i = 0; i < N; ++i)
                b[i] = a[N - 1 - i];
#pragma omp for private(t) schedule(dynamic, 2)
            for (int i = N - 1; i >= 0; --i) {
                t = a[i] * 2;
                c[i] = t;
            }
#pragma omp for reduction(+: sum) lastprivate(tail)
            for (int i = 0; i < N; i += 3) {
                sum += b[i] + c[i];
                tail = i;
            }
            /* Every thread sees the result of the reduction. */
#pragma omp critical
            if (sum > 0)
                result += 1;
#pragma omp barrier
#pragma omp master
            result = result == omp_get_num_threads() ? sum : -1;
        }
        last = tail;
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i && b[i] == N - 1 - i && c[i] == 2 * i);
    CHECK(last == 147);
    printf("%d\n", result);

    /* The same from a combined region. */
    int d[N];
#pragma omp target parallel map(from: d) map(to: a)
    {
        int shift = 3;
#pragma omp for schedule(static, 4)
        for (int i = 0; i < N; ++i)
            d[i] = a[i] + shift;
#pragma omp for
        for (int i = 1; i < N; i += 2)
            d[i] = d[i] + d[i - 1];
    }
    for (int i = 0; i < N; ++i)
        CHECK(d[i] == (i % 2 ? 2 * i + 5 : i + 3));

    /* Fewer iterations than threads, and none at all. */
    int few[3] = {0};
#pragma omp target parallel map(tofrom: few)
    {
#pragma omp for
        for (int i = 0; i < 3; ++i)
            few[i] += 1;
#pragma omp for
        for (int i = 3; i < 3; ++i)
            few[0] = 100;
    }
    CHECK(few[0] == 1 && few[1] == 1 && few[2] == 1);
    return CHECK_RESULT();
}
