/* chemistry: two substances that diffuse and react; rows distributed, and inside two loops over columns side by side, the second on what the first left */
#include "bench.h"
#define N 4096
static const double bytes = 0;
static float *u, *v, *spread_u, *spread_v, *next_u, *next_v;

static void setup(void)
{
    u = NEW(float, N * N), v = NEW(float, N * N), spread_u = NEW(float, N * N), spread_v = NEW(float, N * N);
    next_u = NEW(float, N * N), next_v = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        u[i] = 1 - (float)(i % 89) / 200, v[i] = (float)(i % 61) / 200, spread_u[i] = spread_v[i] = next_u[i] = next_v[i] = 0;
}
#define LAPLACE(a, at, n) (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] - 4 * a[at])
#define REACT(at)                                                                                                      \
    const float rate = u[at] * v[at] * v[at];                                                                          \
    next_u[at] = u[at] + 0.16f * spread_u[at] - rate + 0.035f * (1 - u[at]);                                           \
    next_v[at] = v[at] + 0.08f * spread_v[at] + rate - 0.095f * v[at];
#ifndef __CUDACC__
static void react(int n, const float *u, const float *v, float *spread_u, float *spread_v, float *next_u, float *next_v)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; ++i) {
        for (int j = 1; j < n - 1; ++j) {
            spread_u[i * n + j] = LAPLACE(u, i * n + j, n);
            spread_v[i * n + j] = LAPLACE(v, i * n + j, n);
        }
        for (int j = 1; j < n - 1; ++j) {
            REACT(i * n + j)
        }
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: u[0:N * N], v[0:N * N], spread_u[0:N * N], spread_v[0:N * N], next_u[0:N * N], next_v[0:N * N])
}
static void step(void) { react(N, u, v, spread_u, spread_v, next_u, next_v); }
static void end(void)
{
#pragma omp target exit data map(from: next_u[0:N * N], next_v[0:N * N])
}
#else
static float *d_u, *d_v, *d_spread_u, *d_spread_v, *d_next_u, *d_next_v;
__global__ void react(int n, const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ spread_u, float *__restrict__ spread_v, float *__restrict__ next_u, float *__restrict__ next_v)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < n - 1) {
        const int at = i * n + j;
        spread_u[at] = LAPLACE(u, at, n);
        spread_v[at] = LAPLACE(v, at, n);
        REACT(at)
    }
}
static void begin(void)
{
    d_u = device_copy(u, N * N), d_v = device_copy(v, N * N), d_spread_u = device_copy(spread_u, N * N), d_spread_v = device_copy(spread_v, N * N);
    d_next_u = device_copy(next_u, N * N), d_next_v = device_copy(next_v, N * N);
}
static void step(void)
{
    react<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, d_u, d_v, d_spread_u, d_spread_v, d_next_u, d_next_v);
    device_wait();
}
static void end(void) { from_device(next_u, d_next_u, N * N), from_device(next_v, d_next_v, N * N); }
#endif
static int check(void)
{
    for (int i = 1; i < N - 1; i += 37)
        for (int j = 1; j < N - 1; ++j) {
            const int at = i * N + j;
            const float got_u = next_u[at], got_v = next_v[at];
            spread_u[at] = LAPLACE(u, at, N), spread_v[at] = LAPLACE(v, at, N);
            REACT(at)
            if (!is_close(got_u, next_u[at], 1e-4) || !is_close(got_v, next_v[at], 1e-4))
                return 0;
        }
    return 1;
}
#include "driver.h"
