/* in_reduction on target: the region takes part in the reduction of a host taskgroup. */
#include "data.h"

#include <stdlib.h>

#define N 50

int main(void)
{
    int sum = 100, a[N];
    double product = 1;
    for (int i = 0; i < N; ++i)
        a[i] = i;

#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int part = 0; part < 5; ++part) {
#pragma omp task in_reduction(+ : sum) firstprivate(part)
                sum += part;
            }
#pragma omp target in_reduction(+ : sum) map(to : a)
            for (int i = 0; i < N; ++i)
                sum += a[i];
        }
    }
    CHECK(sum == 100 + 10 + N * (N - 1) / 2);
    ABSENT(&sum);

#pragma omp parallel num_threads(2) shared(product, a)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(* : product)
        {
#pragma omp target nowait in_reduction(* : product)
            product *= 3;
#pragma omp target map(to : a) in_reduction(* : product)
#pragma omp teams distribute parallel for reduction(* : product)
            for (int i = 0; i < 4; ++i)
                product *= a[2];
        }
    }
    CHECK(product == 48);

    int n = 4, bins[4] = {1, 2, 3, 4};
    long *tail = (long *)calloc(n, sizeof *tail);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : bins) task_reduction(+ : tail[1:n - 1])
        {
#pragma omp target in_reduction(+ : bins) map(to : a)
            for (int i = 0; i < N; ++i)
                bins[i % 4] += a[i];
#pragma omp task in_reduction(+ : bins)
            bins[0] += 1000;
#pragma omp target nowait in_reduction(+ : tail[1:n - 1]) map(to : a)
            for (int i = 0; i < N; ++i)
                tail[1 + i % 3] += a[i];
        }
    }
    CHECK(bins[0] == 1001 + 312 && bins[3] == 4 + 300);
    CHECK(tail[0] == 0 && tail[1] + tail[2] + tail[3] == N * (N - 1) / 2);
    free(tail);

    /* Sections of arrays: what the task has are copies of the sections, with nothing around them. */
    int some[4] = {1, 2, 3, 4}, varying[n];
    for (int i = 0; i < n; ++i)
        varying[i] = 10 * i;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : some[1:2], varying[2:n - 2])
    for (int t = 0; t < 8; ++t) {
#pragma omp task in_reduction(+ : some[1:2], varying[2:n - 2])
        some[1] += 1;
#pragma omp target in_reduction(+ : some[1:2], varying[2:n - 2])
        {
            some[2] += 1;
            varying[3] += 2;
        }
    }
    CHECK(some[0] == 1 && some[1] == 10 && some[2] == 11 && some[3] == 4);
    CHECK(varying[1] == 10 && varying[2] == 20 && varying[3] == 46);
    return CHECK_RESULT();
}
