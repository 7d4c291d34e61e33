/* seismic wave equation in three dimensions, eighth order in space: a 25-point stencil, loops over planes and rows distributed */
#include "bench.h"
#define N 384
#define HALO 4
#define PITCH (N + 2 * HALO)
#define SIZE ((size_t)PITCH * PITCH * PITCH)
static const double bytes = 4.0 * 4 * N * N * N;
static float *now, *before, *after, *speed;

static void setup(void)
{
    now = NEW(float, SIZE), before = NEW(float, SIZE), after = NEW(float, SIZE), speed = NEW(float, SIZE);
    for (size_t i = 0; i < SIZE; ++i)
        now[i] = (float)(i % 101) / 101, before[i] = (float)(i % 103) / 103, after[i] = 0, speed[i] = 0.1f + (float)(i % 7) / 100;
}
#define NEIGHBOURS(p, at, d) (p[at + d] + p[at - d])
#define POINT(at)                                                                                                      \
    const float laplace = -8.54166667f * now[at] +                                                                     \
                          1.6f * (NEIGHBOURS(now, at, 1) + NEIGHBOURS(now, at, pitch) + NEIGHBOURS(now, at, plane)) -  \
                          0.2f * (NEIGHBOURS(now, at, 2) + NEIGHBOURS(now, at, 2 * pitch) + NEIGHBOURS(now, at, 2 * plane)) + \
                          0.025396825f * (NEIGHBOURS(now, at, 3) + NEIGHBOURS(now, at, 3 * pitch) + NEIGHBOURS(now, at, 3 * plane)) - \
                          0.00178571f * (NEIGHBOURS(now, at, 4) + NEIGHBOURS(now, at, 4 * pitch) + NEIGHBOURS(now, at, 4 * plane)); \
    after[at] = 2 * now[at] - before[at] + speed[at] * laplace;
#ifndef __CUDACC__
static void advance(int n, int pitch, const float *now, const float *before, float *after, const float *speed)
{
    const int plane = pitch * pitch;
#pragma omp target teams distribute parallel for collapse(2)
    for (int z = HALO; z < n + HALO; ++z)
        for (int y = HALO; y < n + HALO; ++y)
            for (int x = HALO; x < n + HALO; ++x) {
                POINT(z * plane + y * pitch + x)
            }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: now[0:SIZE], before[0:SIZE], after[0:SIZE], speed[0:SIZE])
}
static void step(void) { advance(N, PITCH, now, before, after, speed); }
static void end(void)
{
#pragma omp target exit data map(from: after[0:SIZE])
}
#else
static float *d_now, *d_before, *d_after, *d_speed;
__global__ void advance(int n, int pitch, const float *__restrict__ now, const float *__restrict__ before, float *__restrict__ after, const float *__restrict__ speed)
{
    const int plane = pitch * pitch, x = blockIdx.x * blockDim.x + threadIdx.x + HALO, y = blockIdx.y * blockDim.y + threadIdx.y + HALO, z = blockIdx.z + HALO;
    if (x < n + HALO && y < n + HALO) {
        const int at = z * plane + y * pitch + x;
        POINT(at)
    }
}
static void begin(void) { d_now = device_copy(now, SIZE), d_before = device_copy(before, SIZE), d_after = device_copy(after, SIZE), d_speed = device_copy(speed, SIZE); }
static void step(void)
{
    advance<<<dim3(N / 32, N / 8, N), dim3(32, 8)>>>(N, PITCH, d_now, d_before, d_after, d_speed);
    device_wait();
}
static void end(void) { from_device(after, d_after, SIZE); }
#endif
static int check(void)
{
    const int pitch = PITCH, plane = PITCH * PITCH;
    for (int z = HALO; z < N + HALO; z += 29)
        for (int y = HALO; y < N + HALO; y += 7)
            for (int x = HALO; x < N + HALO; ++x) {
                const int at = z * plane + y * pitch + x;
                const float got = after[at];
                POINT(at)
                if (!is_close(got, after[at], 1e-4))
                    return 0;
            }
    return 1;
}
#include "driver.h"
