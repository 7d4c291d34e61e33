/* a sum reduction */
#include "bench.h"
#define N (1 << 26)
static const double bytes = 8.0 * N;
static double *x, total;

static void setup(void)
{
    x = NEW(double, N);
    for (int i = 0; i < N; ++i)
        x[i] = i % 17;
}
#ifndef __CUDACC__
static double sum(int n, const double *x)
{
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+: total) map(to: x[0:n]) map(tofrom: total)
    for (int i = 0; i < n; ++i)
        total += x[i];
    return total;
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:N])
}
static void step(void) { total = sum(N, x); }
static void end(void)
{
#pragma omp target exit data map(delete: x[0:N])
}
#else
static double *dx, *dtotal;
__global__ void sum(int n, const double *__restrict__ x, double *total)
{
    __shared__ double shared[32];
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += x[i];
    mine = block_reduce(mine, [](double a, double b) { return a + b; }, shared);
    if (threadIdx.x == 0)
        atomicAdd(total, mine);
}
static void begin(void) { dx = device_copy(x, N), dtotal = device_new<double>(1); }
static void step(void)
{
    total = 0;
    to_device(dtotal, &total, 1);
    sum<<<resident_blocks(256), 256>>>(N, dx, dtotal);
    from_device(&total, dtotal, 1);
}
static void end(void) {}
#endif
static int check(void)
{
    double want = 0;
    for (int i = 0; i < N; ++i)
        want += i % 17;
    return total == want;
}
#include "driver.h"
