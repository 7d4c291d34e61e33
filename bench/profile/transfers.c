/* Copies of many megabytes, by regions, data constructs and updates. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2000000
#endif

static void add(int n, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = y[i] = 1;
    for (int k = 0; k < 5; k++)
        add(N, x, y);
#pragma omp target data map(to: x[0:N]) map(tofrom: y[0:N])
    {
        add(N, x, y);
#pragma omp target update to(x[0:N / 2])
        add(N, x, y);
#pragma omp target update from(y[0:N / 2])
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < N; i++)
            sum += y[i];
    }
#pragma omp target enter data map(to: x[0:N])
#pragma omp target exit data map(from: x[0:N])
    printf("%g %g\n", y[1], sum);
    return !(y[1] == 8 && sum == 8.0 * N);
}
