/* temperature of a chip: stencil with power, edges clamped, two time steps */
#include "bench.h"
#define N 4096
static const double bytes = 2 * 12.0 * N * N;
static float *t0, *t1, *power;

static void setup(void)
{
    t0 = NEW(float, N * N), t1 = NEW(float, N * N), power = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        t0[i] = 320 + (float)(i % 7), t1[i] = 0, power[i] = (float)(i % 3) * 0.001f;
}
#define CELL(from, r, c, n)                                                                                            \
    (from[(r) * (n) + (c)] + cap * (power[(r) * (n) + (c)] +                                                           \
        (from[((r) + 1 < (n) ? (r) + 1 : (r)) * (n) + (c)] + from[((r) > 0 ? (r) - 1 : 0) * (n) + (c)] - 2.0f * from[(r) * (n) + (c)]) * ry + \
        (from[(r) * (n) + ((c) + 1 < (n) ? (c) + 1 : (c))] + from[(r) * (n) + ((c) > 0 ? (c) - 1 : 0)] - 2.0f * from[(r) * (n) + (c)]) * rx + \
        (80.0f - from[(r) * (n) + (c)]) * rz))
#ifndef __CUDACC__
static void hotspot(int n, const float *from, const float *power, float *to, float cap, float rx, float ry, float rz)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: from[0:n * n], power[0:n * n]) map(tofrom: to[0:n * n])
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
            to[r * n + c] = CELL(from, r, c, n);
}
static void begin(void)
{
#pragma omp target enter data map(to: t0[0:N * N], t1[0:N * N], power[0:N * N])
}
static void step(void)
{
    hotspot(N, t0, power, t1, 0.5f, 0.1f, 0.1f, 0.0125f);
    hotspot(N, t0, power, t1, 0.5f, 0.1f, 0.1f, 0.0125f);
}
static void end(void)
{
#pragma omp target exit data map(from: t1[0:N * N]) map(delete: t0[0:N * N], power[0:N * N])
}
#else
static float *d0, *d1, *dpower;
__global__ void hotspot(int n, const float *__restrict__ from, const float *__restrict__ power, float *__restrict__ to, float cap,
                        float rx, float ry, float rz)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < n && c < n)
        to[r * n + c] = CELL(from, r, c, n);
}
static void begin(void) { d0 = device_copy(t0, N * N), d1 = device_copy(t1, N * N), dpower = device_copy(power, N * N); }
static void step(void)
{
    hotspot<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, d0, dpower, d1, 0.5f, 0.1f, 0.1f, 0.0125f);
    hotspot<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, d0, dpower, d1, 0.5f, 0.1f, 0.1f, 0.0125f);
    device_wait();
}
static void end(void) { from_device(t1, d1, N * N); }
#endif
static int check(void)
{
    const float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.0125f;
    for (int r = 0; r < N; r += 13)
        for (int c = 0; c < N; ++c)
            if (!is_close(t1[r * N + c], CELL(t0, r, c, N), 1e-5))
                return 0;
    return 1;
}
#include "driver.h"
