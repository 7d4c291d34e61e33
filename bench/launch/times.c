/* What the first ten launches of a program take, in microseconds on the host's clock; on a GPU after
 *
 *   rex-build cc --device cuda -o times bench/launch/times.c -- -O2 [-DMANY] [-DMAPPED]
 *
 * MANY: forty kernels, and the mean of their first launches, second ones, and so on. MAPPED: the data is not present.
 * "start" is what rex_offload_init() takes.
 */
#include <stdio.h>
#include <time.h>

enum { N = 1000, ROUNDS = 10 };
static double a[N], started;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

__attribute__((constructor)) static void before_main(void) { started = now(); }

#define KERNEL(n)                                                                                                      \
    static void kernel##n(int count, double by)                                                                        \
    {                                                                                                                  \
        _Pragma("omp target teams distribute parallel for map(tofrom: a[0:count])")                                    \
        for (int i = 0; i < count; ++i)                                                                                \
            a[i] += by * n;                                                                                            \
    }
#define TEN(of, n) of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) of(n##8) of(n##9)
#define NAME(n) kernel##n,
#ifdef MANY
TEN(KERNEL, 1) TEN(KERNEL, 2) TEN(KERNEL, 3) TEN(KERNEL, 4)
static void (*const kernels[])(int, double) = {TEN(NAME, 1) TEN(NAME, 2) TEN(NAME, 3) TEN(NAME, 4)};
#else
KERNEL(1)
static void (*const kernels[])(int, double) = {kernel1};
#endif
enum { COUNT = sizeof kernels / sizeof kernels[0] };

int main(void)
{
    const double begun = now();
    double sums[ROUNDS] = {0};
#ifndef MAPPED
#pragma omp target enter data map(to: a)
#endif
    for (int round = 0; round < ROUNDS; ++round)
        for (int k = 0; k < COUNT; ++k) {
            const double from = now();
            kernels[k](N, 1.0);
            sums[round] += now() - from;
        }
#ifndef MAPPED
#pragma omp target exit data map(from: a)
#endif
    printf("start %.0f; launches", begun - started);
    for (int round = 0; round < ROUNDS; ++round)
        printf(" %.1f", sums[round] / COUNT);
    printf("\n");
    return a[0] <= 0;
}
