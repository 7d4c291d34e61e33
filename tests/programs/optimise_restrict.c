// Pointers that are declared restrict around regions, and others that lead to what these lead to.
#include <stdio.h>

#define N 1000

static void twice(int n, double *__restrict__ a, const double *b)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
    for (int i = 0; i < n; ++i) {
        a[i] += b[i];
        a[i] += b[i] * 2;
    }
}

// What is based on a restrict pointer leads to the same memory.
static void shifted(int n, double *__restrict__ a)
{
    const double *b = a + n;
    const double *c = a;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n], c[0:n])
    for (int i = 0; i < n; ++i) {
        a[i] += b[i];
        a[i] += c[i] * 2;
    }
}

// A pointer that is set again has no promise of before.
static void moved(int n, double *__restrict__ a, double *b)
{
    b = a;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n], b[0:n])
    for (int i = 0; i < n; ++i) {
        a[i] += b[i];
        a[i] += b[i] * 2;
    }
}

int main(void)
{
    static double x[2 * N], y[N];
    double sum = 0;
    for (int i = 0; i < N; ++i) {
        x[i] = i % 13;
        x[N + i] = i % 5;
        y[i] = i % 7;
    }
    twice(N, x, y);
    #pragma omp target data map(tofrom: x)
    {
        shifted(N, x);
        moved(N, x, y);
    }
    {
        double *__restrict__ to = x;
        const double *__restrict__ from = y;
        #pragma omp target teams distribute parallel for map(tofrom: to[0:N]) map(to: from[0:N])
        for (int i = 0; i < N; ++i) {
            to[i] -= from[i];
            to[i] *= from[i] + 1;
        }
    }
    for (int i = 0; i < 2 * N; ++i)
        sum += x[i] * (i % 11);
    printf("%.0f\n", sum);
    return 0;
}
