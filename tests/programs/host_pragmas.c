// Pragmas of the host compiler in front of directives and between them hide none of them, nor what their clauses say.
#include <stdio.h>

#define HERE _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic pop")

struct limits {
    int first, count;
};

int main(void)
{
    int n = 64, few = 010, wrong = 0;
    struct limits limits = {4, 60};
    int a[64], threads[2] = {0, 0};
    for (int i = 0; i < n; i++)
        a[i] = i;

#pragma unroll
#pragma omp target teams distribute parallel for map(tofrom: a[limits.first:limits.count]) num_teams(few)
#pragma unroll
    for (int i = limits.first; i < n; i++)
        a[i] += 1;

    HERE
#pragma omp target map(tofrom: a)
#pragma GCC diagnostic push
#pragma omp teams distribute thread_limit(010)
#pragma unroll
    for (int i = 0; i < n; i += 8) {
#pragma GCC diagnostic pop
#pragma omp parallel for num_threads(few)
#pragma unroll 2
        for (int j = i; j < i + 8; j++)
            a[j] += 2;
        HERE
    }

#pragma omp target map(from: threads)
    {
#pragma unroll
#pragma omp parallel num_threads(few / 2)
        {
#pragma unroll
#pragma omp for schedule(static, 1)
            for (int i = 0; i < 8; i++)
                if (i < 2) {
#pragma GCC diagnostic push
#pragma omp atomic write
                    threads[i] = i + few;
#pragma GCC diagnostic pop
                }
        }
    }

    if (few)
#pragma GCC diagnostic push
#pragma omp target data map(tofrom: a[0:limits.count]) if(few)
    {
#pragma GCC diagnostic pop
#pragma omp target teams loop collapse(2)
#pragma unroll
        for (int i = 0; i < 6; i++)
#pragma unroll
            for (int j = 0; j < 10; j++)
                a[i * 10 + j] += 4;
#pragma unroll
#pragma omp target update from(a[0:limits.first])
    }

    for (int i = 0; i < n; i++)
        wrong += a[i] != i + (i >= 4) + 2 + 4 * (i < 60);
    wrong += threads[0] != 8 || threads[1] != 9;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
