/* y = A x, the sum kept in y: one row per iteration, A stored by columns so that rows of a warp are neighbours */
#include "bench.h"
#define N 16384
#define M 4096
static const double bytes = 8.0 * N * M;
static double *a, *x, *y;

static void setup(void)
{
    a = NEW(double, (size_t)N * M), x = NEW(double, M), y = NEW(double, N);
    for (size_t i = 0; i < (size_t)N * M; ++i)
        a[i] = (double)(i % 7);
    for (int j = 0; j < M; ++j)
        x[j] = j % 3;
}
#ifndef __CUDACC__
static void matvec(int n, int m, const double *a, const double *x, double *y)
{
#ifdef PARALLEL_FOR
#pragma omp target parallel for map(to: a[0:n * m], x[0:m]) map(from: y[0:n])
#else
#pragma omp target teams distribute parallel for map(to: a[0:n * m], x[0:m]) map(from: y[0:n])
#endif
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        for (int j = 0; j < m; ++j)
            y[i] += a[j * n + i] * x[j];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: a[0:N * M], x[0:M]) map(alloc: y[0:N])
}
static void step(void) { matvec(N, M, a, x, y); }
static void end(void)
{
#pragma omp target exit data map(from: y[0:N]) map(delete: a[0:N * M], x[0:M])
}
#else
static double *da, *dx, *dy;
__global__ void matvec(int n, int m, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int j = 0; j < m; ++j)
        sum += a[j * n + i] * x[j];
    y[i] = sum;
}
static void begin(void) { da = device_copy(a, (size_t)N * M), dx = device_copy(x, M), dy = device_new<double>(N); }
static void step(void)
{
    matvec<<<blocks_for(N, 128), 128>>>(N, M, da, dx, dy);
    device_wait();
}
static void end(void) { from_device(y, dy, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 97) {
        double sum = 0;
        for (int j = 0; j < M; ++j)
            sum += a[(size_t)j * N + i] * x[j];
        if (y[i] != sum)
            return 0;
    }
    return 1;
}
#include "driver.h"
