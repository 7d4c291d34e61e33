/* tridiagonal systems, one in each row: sweeps along the rows that must stay in order, between loops that need not */
#include "bench.h"
#define N 2048
static const double bytes = 8.0 * 9 * N * N;
static double *d, *factor, *x, *f;

static void setup(void)
{
    d = NEW(double, N * N), factor = NEW(double, N * N), x = NEW(double, N * N), f = NEW(double, N * N);
    for (int k = 0; k < N * N; ++k)
        d[k] = 4 + k % 3, factor[k] = x[k] = 0, f[k] = k % 17;
}
#ifndef __CUDACC__
static void prepare(int n, const double *f, double *x)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            x[i * n + j] = 0.5 * f[i * n + j] + 1;
}
static void solve(int n, const double *d, double *factor, double *x)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        factor[i * n] = 1 / d[i * n];
        x[i * n] *= factor[i * n];
        for (int j = 1; j < n; ++j) {
            factor[i * n + j] = 1 / (d[i * n + j] - factor[i * n + j - 1]);
            x[i * n + j] = (x[i * n + j] + x[i * n + j - 1]) * factor[i * n + j];
        }
        for (int j = n - 2; j >= 0; --j)
            x[i * n + j] += factor[i * n + j] * x[i * n + j + 1];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: d[0:N * N], factor[0:N * N], x[0:N * N], f[0:N * N])
}
static void step(void)
{
    prepare(N, f, x);
    solve(N, d, factor, x);
}
static void end(void)
{
#pragma omp target exit data map(from: x[0:N * N]) map(delete: d[0:N * N], factor[0:N * N], f[0:N * N])
}
#else
static double *dd, *dfactor, *dx, *df;
__global__ void prepare(int n, const double *__restrict__ f, double *__restrict__ x)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        x[i * n + j] = 0.5 * f[i * n + j] + 1;
}
__global__ void solve(int n, const double *__restrict__ d, double *__restrict__ factor, double *__restrict__ x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    d += i * n, factor += i * n, x += i * n;
    double g = 1 / d[0], v = x[0] * g;
    factor[0] = g, x[0] = v;
    for (int j = 1; j < n; ++j) {
        g = 1 / (d[j] - g), v = (x[j] + v) * g;
        factor[j] = g, x[j] = v;
    }
    for (int j = n - 2; j >= 0; --j)
        x[j] = v = x[j] + factor[j] * v;
}
static void begin(void) { dd = device_copy(d, N * N), dfactor = device_copy(factor, N * N), dx = device_copy(x, N * N), df = device_copy(f, N * N); }
static void step(void)
{
    prepare<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, df, dx);
    solve<<<blocks_for(N, 32), 32>>>(N, dd, dfactor, dx);
    device_wait();
}
static void end(void) { from_device(x, dx, N * N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 7)
        for (int j = 0; j < N; ++j) {
            const double *row = x + i * N;
            const double v = d[i * N + j] * row[j] - (j > 0 ? row[j - 1] : 0) - (j < N - 1 ? row[j + 1] : 0);
            if (!is_close(v, 0.5 * f[i * N + j] + 1, 1e-9))
                return 0;
        }
    return 1;
}
#include "driver.h"
