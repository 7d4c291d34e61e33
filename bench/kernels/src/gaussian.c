/* Gaussian elimination: multipliers, then the rows below (collapse(2)), for every column */
#include "bench.h"
#define N 1024
static const double bytes = 0;
static float *original, *a, *m, *want;

static void setup(void)
{
    original = NEW(float, N * N), a = NEW(float, N * N), m = NEW(float, N * N), want = NEW(float, N * N);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            original[i * N + j] = i == j ? N : 1.0f / (float)(1 + abs(i - j));
    memcpy(a, original, sizeof(float) * N * N);
    memcpy(want, original, sizeof(float) * N * N);
    for (int t = 0; t < N - 1; ++t)
        for (int i = t + 1; i < N; ++i) {
            const float f = want[i * N + t] / want[t * N + t];
            for (int j = t; j < N; ++j)
                want[i * N + j] -= f * want[t * N + j];
        }
}
#ifndef __CUDACC__
static void gaussian(int n, const float *original, float *a, float *m)
{
#pragma omp target teams distribute parallel for map(to: original[0:n * n]) map(tofrom: a[0:n * n])
    for (int i = 0; i < n * n; ++i)
        a[i] = original[i];
    for (int t = 0; t < n - 1; ++t) {
#pragma omp target teams distribute parallel for map(to: a[0:n * n]) map(tofrom: m[0:n * n])
        for (int i = 0; i < n - 1 - t; ++i)
            m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n * n]) map(to: m[0:n * n])
        for (int i = 0; i < n - 1 - t; ++i)
            for (int j = 0; j < n - t; ++j)
                a[n * (i + 1 + t) + (j + t)] -= m[n * (i + 1 + t) + t] * a[n * t + (j + t)];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: original[0:N * N], a[0:N * N]) map(alloc: m[0:N * N])
}
static void step(void) { gaussian(N, original, a, m); }
static void end(void)
{
#pragma omp target exit data map(from: a[0:N * N]) map(delete: original[0:N * N], m[0:N * N])
}
#else
static float *doriginal, *da, *dm;
__global__ void copy(int n, const float *__restrict__ from, float *__restrict__ to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
__global__ void multipliers(int n, int t, const float *__restrict__ a, float *__restrict__ m)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1 - t)
        m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}
__global__ void eliminate(int n, int t, float *__restrict__ a, const float *__restrict__ m)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n - 1 - t && j < n - t)
        a[n * (i + 1 + t) + (j + t)] -= m[n * (i + 1 + t) + t] * a[n * t + (j + t)];
}
static void begin(void) { doriginal = device_copy(original, N * N), da = device_copy(a, N * N), dm = device_new<float>(N * N); }
static void step(void)
{
    copy<<<blocks_for(N * N, 256), 256>>>(N * N, doriginal, da);
    for (int t = 0; t < N - 1; ++t) {
        multipliers<<<blocks_for(N - 1 - t, 128), 128>>>(N, t, da, dm);
        eliminate<<<dim3(blocks_for(N - t, 32), blocks_for(N - 1 - t, 8)), dim3(32, 8)>>>(N, t, da, dm);
    }
    device_wait();
}
static void end(void) { from_device(a, da, N * N); }
#endif
static int check(void)
{
    for (int i = 0; i < N * N; ++i)
        if (!is_close(a[i], want[i], 1e-3))
            return 0;
    return 1;
}
#include "driver.h"
