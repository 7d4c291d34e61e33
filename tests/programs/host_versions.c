/* Target constructs that are taken apart: their host versions are made from the whole. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#define N 10

int main(void)
{
    int a = 0, b = 0, c[N] = {0}, x = 0, sums[N];

#ifndef REFERENCE /* gcc takes these on the host only */
#pragma omp target parallel sections map(tofrom : a, b) num_threads(3) if (target : a == 0) if (parallel : 1)
    {
#pragma omp section
        a++;
#pragma omp section
        b++;
    }
#pragma omp target parallel masked map(tofrom : c) num_threads(4)
    c[0]++;
#pragma omp target parallel masked taskloop map(tofrom : c) num_threads(4) grainsize(2)
    for (int i = 0; i < N; i++)
        c[i]++;
#pragma omp target parallel master map(tofrom : c) num_threads(4)
    c[0]++;
#pragma omp target parallel master taskloop simd map(tofrom : c) num_threads(4) num_tasks(2)
    for (int i = 0; i < N; i++)
        c[i]++;
    CHECK(a == 1 && b == 1);
    for (int i = 0; i < N; i++)
        CHECK(c[i] == (i ? 2 : 4));
#pragma omp target parallel for reduction(inscan, + : x) map(to : c) map(tofrom : x) map(from : sums) if (target : b)
    for (int i = 0; i < N; ++i) {
        x += c[i];
#pragma omp scan inclusive(x)
        sums[i] = x;
    }
#else
    x = 22;
    sums[N - 1] = 22;
#endif
    CHECK(x == 22 && sums[N - 1] == 22);
    printf("%d %d\n", x, sums[N - 1]);
    return CHECK_RESULT();
}
