/* sparse matrix times vector, CSR, one row per iteration */
#include "bench.h"
#define N (1 << 20)
#ifndef ROW
#define ROW 16
#endif
static const double bytes = 12.0 * N * ROW + 20.0 * N;
static int *start, *column;
static double *value, *x, *y;

static void setup(void)
{
    start = NEW(int, N + 1), column = NEW(int, N * ROW), value = NEW(double, N * ROW), x = NEW(double, N), y = NEW(double, N);
    for (int i = 0; i <= N; ++i)
        start[i] = i * ROW;
    for (int k = 0; k < N * ROW; ++k)
        column[k] = (k / ROW + (k % ROW) * 37) % N, value[k] = k % 9;
    for (int i = 0; i < N; ++i)
        x[i] = i % 11;
}
#ifndef __CUDACC__
static void spmv(int n, const int *start, const int *column, const double *value, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: start[0:n + 1], column[0:n * ROW], value[0:n * ROW], x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        for (int k = start[i]; k < start[i + 1]; ++k)
            y[i] += value[k] * x[column[k]];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: start[0:N + 1], column[0:N * ROW], value[0:N * ROW], x[0:N]) map(alloc: y[0:N])
}
static void step(void) { spmv(N, start, column, value, x, y); }
static void end(void)
{
#pragma omp target exit data map(from: y[0:N]) map(delete: start[0:N + 1], column[0:N * ROW], value[0:N * ROW], x[0:N])
}
#else
static int *dstart, *dcolumn;
static double *dvalue, *dx, *dy;
__global__ void spmv(int n, const int *__restrict__ start, const int *__restrict__ column, const double *__restrict__ value,
                     const double *__restrict__ x, double *__restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    const int last = start[i + 1];
    for (int k = start[i]; k < last; ++k)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}
static void begin(void)
{
    dstart = device_copy(start, N + 1), dcolumn = device_copy(column, N * ROW), dvalue = device_copy(value, N * ROW);
    dx = device_copy(x, N), dy = device_new<double>(N);
}
static void step(void)
{
    spmv<<<blocks_for(N, 256), 256>>>(N, dstart, dcolumn, dvalue, dx, dy);
    device_wait();
}
static void end(void) { from_device(y, dy, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; ++i) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; ++k)
            sum += value[k] * x[column[k]];
        if (sum != y[i])
            return 0;
    }
    return 1;
}
#include "driver.h"
