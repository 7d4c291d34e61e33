/* LU decomposition by rows and columns, a dot product per element */
#include "bench.h"
#define N 512
static const double bytes = 0;
static float *original, *a, *want;

static void setup(void)
{
    original = NEW(float, N * N), a = NEW(float, N * N), want = NEW(float, N * N);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            original[i * N + j] = i == j ? N : 1.0f / (float)(1 + abs(i - j));
    memcpy(a, original, sizeof(float) * N * N);
    memcpy(want, original, sizeof(float) * N * N);
    for (int k = 0; k < N; ++k)
        for (int i = k + 1; i < N; ++i) {
            want[i * N + k] /= want[k * N + k];
            for (int j = k + 1; j < N; ++j)
                want[i * N + j] -= want[i * N + k] * want[k * N + j];
        }
}
#ifndef __CUDACC__
static void lud(int n, const float *original, float *a)
{
#pragma omp target teams distribute parallel for map(to: original[0:n * n]) map(tofrom: a[0:n * n])
    for (int i = 0; i < n * n; ++i)
        a[i] = original[i];
    for (int i = 0; i < n; ++i) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
        for (int j = i; j < n; ++j) {
            float sum = a[i * n + j];
            for (int k = 0; k < i; ++k)
                sum -= a[i * n + k] * a[k * n + j];
            a[i * n + j] = sum;
        }
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
        for (int j = i + 1; j < n; ++j) {
            float sum = a[j * n + i];
            for (int k = 0; k < i; ++k)
                sum -= a[j * n + k] * a[k * n + i];
            a[j * n + i] = sum / a[i * n + i];
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: original[0:N * N], a[0:N * N])
}
static void step(void) { lud(N, original, a); }
static void end(void)
{
#pragma omp target exit data map(from: a[0:N * N]) map(delete: original[0:N * N])
}
#else
static float *doriginal, *da;
__global__ void copy(int n, const float *__restrict__ from, float *__restrict__ to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
__global__ void row(int n, int i, float *a)
{
    const int j = i + blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    float sum = a[i * n + j];
    for (int k = 0; k < i; ++k)
        sum -= a[i * n + k] * a[k * n + j];
    a[i * n + j] = sum;
}
__global__ void column(int n, int i, float *a)
{
    const int j = i + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n)
        return;
    float sum = a[j * n + i];
    for (int k = 0; k < i; ++k)
        sum -= a[j * n + k] * a[k * n + i];
    a[j * n + i] = sum / a[i * n + i];
}
static void begin(void) { doriginal = device_copy(original, N * N), da = device_copy(a, N * N); }
static void step(void)
{
    copy<<<blocks_for(N * N, 256), 256>>>(N * N, doriginal, da);
    for (int i = 0; i < N; ++i) {
        row<<<blocks_for(N - i, 64), 64>>>(N, i, da);
        if (i < N - 1)
            column<<<blocks_for(N - i - 1, 64), 64>>>(N, i, da);
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
