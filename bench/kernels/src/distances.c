/* all shortest paths of a dense graph (Floyd): one launch for each vertex between, over rows with a loop over columns inside */
#include "bench.h"
#define N 1024
static const double bytes = 0;
static int *distance, *start;

static void setup(void)
{
    distance = NEW(int, N * N), start = NEW(int, N * N);
    for (int i = 0; i < N * N; ++i)
        start[i] = distance[i] = i / N == i % N ? 0 : 1 + next_random() % 10000;
}
#ifndef __CUDACC__
static void relax(int n, int k, int *distance)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int through = distance[i * n + k] + distance[k * n + j];
            if (through < distance[i * n + j])
                distance[i * n + j] = through;
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: distance[0:N * N])
}
static void step(void)
{
    for (int k = 0; k < N; ++k)
        relax(N, k, distance);
}
static void end(void)
{
#pragma omp target exit data map(from: distance[0:N * N])
}
#else
static int *d_distance;
__global__ void relax(int n, int k, int *distance)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        const int through = distance[i * n + k] + distance[k * n + j];
        if (through < distance[i * n + j])
            distance[i * n + j] = through;
    }
}
static void begin(void) { d_distance = device_copy(distance, N * N); }
static void step(void)
{
    for (int k = 0; k < N; ++k)
        relax<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, k, d_distance);
    device_wait();
}
static void end(void) { from_device(distance, d_distance, N * N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 41)
        for (int j = 0; j < N; ++j) {
            if (distance[i * N + j] > start[i * N + j])
                return 0;
            for (int k = 0; k < N; ++k)
                if (distance[i * N + j] > distance[i * N + k] + distance[k * N + j])
                    return 0;
        }
    return 1;
}
#include "driver.h"
