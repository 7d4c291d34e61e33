/* Regions of about 50 us or more, with copies and without. Prints how long each of them took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef N
#define N 3000
#endif
#ifndef STEPS
#define STEPS 20
#endif
#define ROUNDS 4000
#define COPIED 2000

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void relax(int n, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < STEPS; k++)
            y[i] = 0.5 * y[i] + x[i];
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), begin;
    for (int i = 0; i < N; i++)
        x[i] = y[i] = i;
    begin = now();
    for (int k = 0; k < COPIED; k++)
        relax(N, x, y);
    printf("copied %.3f\n", (now() - begin) / COPIED);
#pragma omp target data map(to: x[0:N]) map(tofrom: y[0:N])
    {
        begin = now();
        for (int k = 0; k < ROUNDS; k++)
            relax(N, x, y);
        printf("present %.3f\n", (now() - begin) / ROUNDS);
    }
    return y[1] > 1e9;
}
