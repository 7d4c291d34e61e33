/* 4096 bins, atomic updates in device memory */
#include "bench.h"
#define N (1 << 26)
#define BINS 4096
static const double bytes = 4.0 * N;
static int *x, *bins;

static void setup(void)
{
    x = NEW(int, N), bins = NEW(int, BINS);
    for (int i = 0; i < N; ++i)
        x[i] = next_random() >> 8;
    memset(bins, 0, BINS * sizeof *bins);
}
#ifndef __CUDACC__
static void histogram(int n, const int *x, int *bins)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: bins[0:BINS])
    for (int i = 0; i < n; ++i) {
#pragma omp atomic update
        bins[x[i] % BINS]++;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:N], bins[0:BINS])
}
static void step(void) { histogram(N, x, bins); }
static void end(void)
{
#pragma omp target exit data map(from: bins[0:BINS]) map(delete: x[0:N])
}
#else
static int *dx, *dbins;
__global__ void histogram(int n, const int *__restrict__ x, int *bins)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[x[i] % BINS], 1);
}
static void begin(void) { dx = device_copy(x, N), dbins = device_copy(bins, BINS); }
static void step(void)
{
    histogram<<<blocks_for(N, 256), 256>>>(N, dx, dbins);
    device_wait();
}
static void end(void) { from_device(bins, dbins, BINS); }
#endif
static int check(void)
{
    int *want = NEW(int, BINS), good = 1;
    memset(want, 0, BINS * sizeof *want);
    for (int i = 0; i < N; ++i)
        ++want[x[i] % BINS];
    for (int i = 0; i < BINS; ++i)
        good &= bins[i] == want[i] * steps;
    return good;
}
#include "driver.h"
