/* y += a x */
#include "bench.h"
#define N (1 << 25)
static const double bytes = 24.0 * N;
static double *x, *y;

static void setup(void)
{
    x = NEW(double, N), y = NEW(double, N);
    for (int i = 0; i < N; ++i)
        x[i] = i % 17, y[i] = i % 5;
}
#ifndef __CUDACC__
static void axpy(int n, double a, const double *x, double *y)
{
#ifdef PARALLEL_FOR
#pragma omp target parallel for map(to: x[0:n]) map(tofrom: y[0:n])
#else
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
#endif
    for (int i = 0; i < n; ++i)
        y[i] += a * x[i];
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:N], y[0:N])
}
static void step(void) { axpy(N, 2.0, x, y); }
static void end(void)
{
#pragma omp target exit data map(from: y[0:N]) map(delete: x[0:N])
}
#else
static double *dx, *dy;
__global__ void axpy(int n, double a, const double *__restrict__ x, double *__restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
static void begin(void) { dx = device_copy(x, N), dy = device_copy(y, N); }
static void step(void)
{
    axpy<<<blocks_for(N, 256), 256>>>(N, 2.0, dx, dy);
    device_wait();
}
static void end(void) { from_device(y, dy, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; ++i)
        if (y[i] != i % 5 + steps * 2.0 * (i % 17))
            return 0;
    return 1;
}
#include "driver.h"
