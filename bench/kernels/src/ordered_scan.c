/* a recurrence in a plain `target` region: one thread, loads that do not depend on its stores */
#include "bench.h"
#define N (1 << 15)
static const double bytes = 0;
static double *a, *b, *c, *x;

static void setup(void)
{
    a = NEW(double, N), b = NEW(double, N), c = NEW(double, N), x = NEW(double, N);
    for (int i = 0; i < N; ++i)
        a[i] = 0.5 + (double)(i % 7) / 100, b[i] = (double)(i % 13), c[i] = 1 + (double)(i % 5), x[i] = 0;
}
#ifndef __CUDACC__
static void solve(int n, const double *a, const double *b, const double *c, double *x)
{
#pragma omp target map(to: a[0:n], b[0:n], c[0:n]) map(from: x[0:n])
    {
        x[0] = b[0];
        for (int i = 1; i < n; ++i)
            x[i] = b[i] * c[i] - a[i] * x[i - 1];
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: a[0:N], b[0:N], c[0:N]) map(alloc: x[0:N])
}
static void step(void) { solve(N, a, b, c, x); }
static void end(void)
{
#pragma omp target exit data map(from: x[0:N])
}
#else
static double *d_a, *d_b, *d_c, *d_x;
__global__ void solve(int n, const double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double *__restrict__ x)
{
    double last = b[0];
    x[0] = last;
    for (int i = 1; i < n; ++i)
        x[i] = last = b[i] * c[i] - a[i] * last;
}
static void begin(void) { d_a = device_copy(a, N), d_b = device_copy(b, N), d_c = device_copy(c, N), d_x = device_new<double>(N); }
static void step(void)
{
    solve<<<1, 1>>>(N, d_a, d_b, d_c, d_x);
    device_wait();
}
static void end(void) { from_device(x, d_x, N); }
#endif
static int check(void)
{
    double last = b[0];
    for (int i = 1; i < N; ++i) {
        last = b[i] * c[i] - a[i] * last;
        if (!is_close(x[i], last, 1e-9))
            return 0;
    }
    return 1;
}
#include "driver.h"
