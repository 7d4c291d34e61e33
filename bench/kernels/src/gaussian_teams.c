/* Gaussian elimination whose clauses say how many teams there are: rows are distributed, columns in a loop inside */
#include "bench.h"
#define N 768
#define BLOCK 256
static const double bytes = 0;
static float *original, *a, *b, *x;

static void setup(void)
{
    original = NEW(float, N * N), a = NEW(float, N * N), b = NEW(float, N), x = NEW(float, N);
    for (int i = 0; i < N * N; ++i)
        original[i] = i / N == i % N ? 2 * N : (float)(i * 7919l % 1009) / 1009;
}
#ifndef __CUDACC__
static void eliminate(int n, const float *original, float *a, float *b)
{
#pragma omp target teams distribute parallel for num_teams((n * n + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(to: original[0:n * n]) map(from: a[0:n * n])
    for (int i = 0; i < n * n; ++i)
        a[i] = original[i];
#pragma omp target teams distribute parallel for num_teams((n + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(from: b[0:n])
    for (int i = 0; i < n; ++i)
        b[i] = 1 + (float)(i % 5);
    for (int t = 0; t < n - 1; ++t) {
        const int rows = n - 1 - t;
#pragma omp target teams distribute parallel for num_teams((rows * rows + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(tofrom: a[0:n * n])
        for (int i = t + 1; i < n; ++i) {
            const float factor = a[i * n + t] / a[t * n + t];
            for (int j = t + 1; j < n; ++j)
                a[i * n + j] -= factor * a[t * n + j];
        }
#pragma omp target teams distribute parallel for num_teams((rows + BLOCK - 1) / BLOCK) thread_limit(BLOCK) map(tofrom: b[0:n]) map(to: a[0:n * n])
        for (int i = t + 1; i < n; ++i)
            b[i] -= a[i * n + t] / a[t * n + t] * b[t];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: original[0:N * N]) map(alloc: a[0:N * N], b[0:N])
}
static void step(void) { eliminate(N, original, a, b); }
static void end(void)
{
#pragma omp target exit data map(from: a[0:N * N], b[0:N]) map(delete: original[0:N * N])
}
#else
static float *d_original, *d_a, *d_b;
__global__ void copy(int n, const float *__restrict__ from, float *__restrict__ to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
__global__ void begin_right(int n, float *b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = 1 + (float)(i % 5);
}
__global__ void rows(int n, int t, float *a)
{
    const int j = t + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = t + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + t] / a[t * n + t] * a[t * n + j];
}
__global__ void right(int n, int t, const float *__restrict__ a, float *b)
{
    const int i = t + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] -= a[i * n + t] / a[t * n + t] * b[t];
}
static void begin(void) { d_original = device_copy(original, N * N), d_a = device_new<float>(N * N), d_b = device_new<float>(N); }
static void step(void)
{
    copy<<<blocks_for(N * N, BLOCK), BLOCK>>>(N * N, d_original, d_a);
    begin_right<<<blocks_for(N, BLOCK), BLOCK>>>(N, d_b);
    for (int t = 0; t < N - 1; ++t) {
        rows<<<dim3(blocks_for(N - 1 - t, 32), blocks_for(N - 1 - t, 8)), dim3(32, 8)>>>(N, t, d_a);
        right<<<blocks_for(N - 1 - t, BLOCK), BLOCK>>>(N, t, d_a, d_b);
    }
    device_wait();
}
static void end(void) { from_device(a, d_a, N * N), from_device(b, d_b, N); }
#endif
static int check(void)
{
    for (int i = N - 1; i >= 0; --i) {
        double sum = b[i];
        for (int j = i + 1; j < N; ++j)
            sum -= (double)a[i * N + j] * x[j];
        x[i] = (float)(sum / a[i * N + i]);
    }
    for (int i = 0; i < N; ++i) {
        double sum = 0;
        for (int j = 0; j < N; ++j)
            sum += (double)original[i * N + j] * x[j];
        if (fabs(sum - (1 + i % 5)) > 1e-3)
            return 0;
    }
    return 1;
}
#include "driver.h"
