/* clustering of a stream: points come in portions; each goes to the nearest centre, and the centres move, four launches a portion */
#include "bench.h"
#define POINTS (1 << 18)
#define PORTION 8192
#define CENTRES 32
#define FEATURES 8
static const double bytes = 0;
static float *points, *centres, *start, *sums, *costs; /* features of all points, one feature after the other */
static int *nearest, *counts;

static void setup(void)
{
    points = NEW(float, POINTS * FEATURES), start = NEW(float, CENTRES * FEATURES), centres = NEW(float, CENTRES * FEATURES), sums = NEW(float, CENTRES * FEATURES);
    nearest = NEW(int, POINTS), counts = NEW(int, CENTRES), costs = NEW(float, POINTS / PORTION);
    for (int i = 0; i < POINTS; ++i)
        for (int f = 0; f < FEATURES; ++f)
            points[f * POINTS + i] = (float)((i * 7 % CENTRES >> f % 5 & 1) * 8) + (float)(next_random() / 1024 % 1000) / 1000;
    for (int c = 0; c < CENTRES; ++c)
        for (int f = 0; f < FEATURES; ++f)
            start[c * FEATURES + f] = centres[c * FEATURES + f] = (float)((c >> f % 5 & 1) * 6) + 1;
}
#ifndef __CUDACC__
static void portion(int from, int to, int all, const float *points, float *centres, float *sums, int *counts, int *nearest, float *cost)
{
    float total = 0;
#pragma omp target teams distribute parallel for
    for (int c = 0; c < CENTRES; ++c) {
        counts[c] = 0;
        for (int f = 0; f < FEATURES; ++f)
            sums[c * FEATURES + f] = 0;
    }
#pragma omp target teams distribute parallel for map(tofrom: total) reduction(+ : total)
    for (int i = from; i < to; ++i) {
        float least = 1e30f;
        int best = 0;
        for (int c = 0; c < CENTRES; ++c) {
            float distance = 0;
            for (int f = 0; f < FEATURES; ++f) {
                const float d = points[f * all + i] - centres[c * FEATURES + f];
                distance += d * d;
            }
            if (distance < least)
                least = distance, best = c;
        }
        nearest[i] = best, total += least;
    }
#pragma omp target teams distribute parallel for
    for (int i = from; i < to; ++i) {
        const int c = nearest[i];
#pragma omp atomic
        counts[c] += 1;
        for (int f = 0; f < FEATURES; ++f) {
#pragma omp atomic
            sums[c * FEATURES + f] += points[f * all + i];
        }
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int c = 0; c < CENTRES; ++c)
        for (int f = 0; f < FEATURES; ++f)
            if (counts[c] > 0)
                centres[c * FEATURES + f] += 0.5f * (sums[c * FEATURES + f] / (float)counts[c] - centres[c * FEATURES + f]);
    *cost = total;
}
static void begin(void)
{
#pragma omp target enter data map(to: points[0:POINTS * FEATURES]) map(alloc: centres[0:CENTRES * FEATURES], sums[0:CENTRES * FEATURES], counts[0:CENTRES], nearest[0:POINTS])
}
static void step(void)
{
    memcpy(centres, start, sizeof(float) * CENTRES * FEATURES);
#pragma omp target update to(centres[0:CENTRES * FEATURES])
    for (int p = 0; p < POINTS / PORTION; ++p)
        portion(p * PORTION, (p + 1) * PORTION, POINTS, points, centres, sums, counts, nearest, &costs[p]);
}
static void end(void)
{
#pragma omp target exit data map(from: centres[0:CENTRES * FEATURES], nearest[0:POINTS]) map(delete: points[0:POINTS * FEATURES], sums[0:CENTRES * FEATURES], counts[0:CENTRES])
}
#else
static float *d_points, *d_centres, *d_sums, *d_cost;
static int *d_counts, *d_nearest;
__global__ void clear(float *__restrict__ sums, int *__restrict__ counts)
{
    sums[threadIdx.x] = 0;
    if (threadIdx.x < CENTRES)
        counts[threadIdx.x] = 0;
}
__global__ void assign(int from, int to, int all, const float *__restrict__ points, const float *__restrict__ centres, int *__restrict__ nearest, float *cost)
{
    __shared__ float at[CENTRES * FEATURES], shared[32];
    const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = threadIdx.x; e < CENTRES * FEATURES; e += blockDim.x)
        at[e] = centres[e];
    __syncthreads();
    float least = 0;
    if (i < to) {
        float mine[FEATURES];
        int best = 0;
        least = 1e30f;
        for (int f = 0; f < FEATURES; ++f)
            mine[f] = points[f * all + i];
        for (int c = 0; c < CENTRES; ++c) {
            float distance = 0;
            for (int f = 0; f < FEATURES; ++f) {
                const float d = mine[f] - at[c * FEATURES + f];
                distance += d * d;
            }
            if (distance < least)
                least = distance, best = c;
        }
        nearest[i] = best;
    }
    least = block_reduce(least, [](float a, float b) { return a + b; }, shared);
    if (threadIdx.x == 0)
        atomicAdd(cost, least);
}
__global__ void accumulate(int from, int to, int all, const float *__restrict__ points, const int *__restrict__ nearest, float *sums, int *counts)
{
    __shared__ float of_block[CENTRES * FEATURES];
    __shared__ int count[CENTRES];
    const int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = threadIdx.x; e < CENTRES * FEATURES; e += blockDim.x)
        of_block[e] = 0;
    if (threadIdx.x < CENTRES)
        count[threadIdx.x] = 0;
    __syncthreads();
    if (i < to) {
        const int c = nearest[i];
        atomicAdd(&count[c], 1);
        for (int f = 0; f < FEATURES; ++f)
            atomicAdd(&of_block[c * FEATURES + f], points[f * all + i]);
    }
    __syncthreads();
    for (int e = threadIdx.x; e < CENTRES * FEATURES; e += blockDim.x)
        atomicAdd(&sums[e], of_block[e]);
    if (threadIdx.x < CENTRES)
        atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}
__global__ void move(float *__restrict__ centres, const float *__restrict__ sums, const int *__restrict__ counts)
{
    const int e = threadIdx.x, count = counts[e / FEATURES];
    if (count > 0)
        centres[e] += 0.5f * (sums[e] / (float)count - centres[e]);
}
static void begin(void)
{
    d_points = device_copy(points, POINTS * FEATURES), d_centres = device_new<float>(CENTRES * FEATURES), d_sums = device_new<float>(CENTRES * FEATURES);
    d_cost = device_new<float>(POINTS / PORTION), d_counts = device_new<int>(CENTRES), d_nearest = device_new<int>(POINTS);
}
static void step(void)
{
    to_device(d_centres, start, CENTRES * FEATURES);
    for (int p = 0; p < POINTS / PORTION; ++p) {
        const int from = p * PORTION, to = from + PORTION;
        const float zero = 0;
        to_device(&d_cost[p], &zero, 1);
        clear<<<1, CENTRES * FEATURES>>>(d_sums, d_counts);
        assign<<<blocks_for(PORTION, 128), 128>>>(from, to, POINTS, d_points, d_centres, d_nearest, &d_cost[p]);
        accumulate<<<blocks_for(PORTION, 256), 256>>>(from, to, POINTS, d_points, d_nearest, d_sums, d_counts);
        move<<<1, CENTRES * FEATURES>>>(d_centres, d_sums, d_counts);
        from_device(&costs[p], &d_cost[p], 1);
    }
    device_wait();
}
static void end(void) { from_device(centres, d_centres, CENTRES * FEATURES), from_device(nearest, d_nearest, POINTS); }
#endif
static int check(void)
{
    int differ = 0;
    double cost = 0;
    for (int c = 0; c < CENTRES * FEATURES; ++c)
        if (!(centres[c] > -1 && centres[c] < 10))
            return 0;
    for (int i = POINTS - PORTION; i < POINTS; ++i) /* the last portion's, whose centres have hardly moved since */
        for (int f = 0; f < 5; ++f)
            differ += (nearest[i] >> f & 1) != (i * 7 % CENTRES >> f & 1);
    for (int p = 0; p < POINTS / PORTION; ++p)
        cost += costs[p];
    return differ == 0 && cost > 0.5 * POINTS && cost < 100.0 * POINTS && costs[POINTS / PORTION - 1] < 1.0f * PORTION;
}
#include "driver.h"
