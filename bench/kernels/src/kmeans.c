/* nearest of k centres for every point; features are stored one after the other */
#include "bench.h"
#define N (1 << 20)
#define FEATURES 34
#define CENTRES 5
static const double bytes = 0;
static float *points, *centres;
static int *nearest;

static void setup(void)
{
    points = NEW(float, N * FEATURES), centres = NEW(float, CENTRES * FEATURES), nearest = NEW(int, N);
    for (int i = 0; i < N * FEATURES; ++i)
        points[i] = (float)(next_random() % 1000);
    for (int i = 0; i < CENTRES * FEATURES; ++i)
        centres[i] = (float)(next_random() % 1000);
}
#ifndef __CUDACC__
static void kmeans(int n, int features, int k, const float *points, const float *centres, int *nearest)
{
#pragma omp target teams distribute parallel for map(to: points[0:n * features], centres[0:k * features]) map(from: nearest[0:n])
    for (int i = 0; i < n; ++i) {
        float best = 3.4e38f;
        for (int c = 0; c < k; ++c) {
            float distance = 0;
            for (int f = 0; f < features; ++f)
                distance += (points[f * n + i] - centres[c * features + f]) * (points[f * n + i] - centres[c * features + f]);
            if (distance < best) {
                best = distance;
                nearest[i] = c;
            }
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: points[0:N * FEATURES], centres[0:CENTRES * FEATURES]) map(alloc: nearest[0:N])
}
static void step(void) { kmeans(N, FEATURES, CENTRES, points, centres, nearest); }
static void end(void)
{
#pragma omp target exit data map(from: nearest[0:N]) map(delete: points[0:N * FEATURES], centres[0:CENTRES * FEATURES])
}
#else
static float *dpoints, *dcentres;
static int *dnearest;
__global__ void kmeans(int n, int features, int k, const float *__restrict__ points, const float *__restrict__ centres, int *__restrict__ nearest)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 3.4e38f;
    int index = 0;
    for (int c = 0; c < k; ++c) {
        float distance = 0;
        for (int f = 0; f < features; ++f) {
            const float d = points[f * n + i] - centres[c * features + f];
            distance += d * d;
        }
        if (distance < best)
            best = distance, index = c;
    }
    nearest[i] = index;
}
static void begin(void) { dpoints = device_copy(points, N * FEATURES), dcentres = device_copy(centres, CENTRES * FEATURES), dnearest = device_new<int>(N); }
static void step(void)
{
    kmeans<<<blocks_for(N, 256), 256>>>(N, FEATURES, CENTRES, dpoints, dcentres, dnearest);
    device_wait();
}
static void end(void) { from_device(nearest, dnearest, N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 31) {
        float best = 3.4e38f, mine = 0;
        for (int c = 0; c < CENTRES; ++c) {
            float d = 0;
            for (int f = 0; f < FEATURES; ++f)
                d += (points[f * N + i] - centres[c * FEATURES + f]) * (points[f * N + i] - centres[c * FEATURES + f]);
            best = d < best ? d : best;
            mine = c == nearest[i] ? d : mine;
        }
        if (!is_close(mine, best, 1e-4))
            return 0;
    }
    return 1;
}
#include "driver.h"
