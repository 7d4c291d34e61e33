/* pair distances with exponentials: the density of weighted points around each of them; the hand-written kernel has tiles in shared memory */
#include "bench.h"
#define POINTS 32768
#define TILE 256
static const double bytes = 0;
static float *x, *y, *z, *weight, *density;

static void setup(void)
{
    x = NEW(float, POINTS), y = NEW(float, POINTS), z = NEW(float, POINTS), weight = NEW(float, POINTS), density = NEW(float, POINTS);
    for (int i = 0; i < POINTS; ++i) {
        x[i] = (float)(next_random() / 1024 % 10000) / 1000, y[i] = (float)(next_random() / 1024 % 10000) / 1000;
        z[i] = (float)(next_random() / 1024 % 10000) / 1000, weight[i] = 1 + (float)(i % 3);
    }
}
#ifndef __CUDACC__
static void densities(int n, float width, const float *x, const float *y, const float *z, const float *weight, float *density)
{
#pragma omp target teams distribute parallel for map(to: x[0:n], y[0:n], z[0:n], weight[0:n]) map(from: density[0:n])
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int j = 0; j < n; ++j) {
            const float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            sum += weight[j] * expf(-(dx * dx + dy * dy + dz * dz) * width);
        }
        density[i] = sum;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:POINTS], y[0:POINTS], z[0:POINTS], weight[0:POINTS]) map(alloc: density[0:POINTS])
}
static void step(void) { densities(POINTS, 0.5f, x, y, z, weight, density); }
static void end(void)
{
#pragma omp target exit data map(from: density[0:POINTS]) map(delete: x[0:POINTS], y[0:POINTS], z[0:POINTS], weight[0:POINTS])
}
#else
static float *d_x, *d_y, *d_z, *d_weight, *d_density;
__global__ void __launch_bounds__(TILE) densities(int n, float width, const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z, const float *__restrict__ weight, float *__restrict__ density)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x, mine = i < n ? i : n - 1;
    const float here_x = x[mine], here_y = y[mine], here_z = z[mine];
    float sum = 0;
    for (int from = 0; from < n; from += TILE) {
        const int j = from + threadIdx.x;
        __syncthreads();
        tile[threadIdx.x] = j < n ? make_float4(x[j], y[j], z[j], weight[j]) : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) {
            const float dx = here_x - tile[k].x, dy = here_y - tile[k].y, dz = here_z - tile[k].z;
            sum += tile[k].w * expf(-(dx * dx + dy * dy + dz * dz) * width);
        }
    }
    if (i < n)
        density[i] = sum;
}
static void begin(void)
{
    d_x = device_copy(x, POINTS), d_y = device_copy(y, POINTS), d_z = device_copy(z, POINTS), d_weight = device_copy(weight, POINTS);
    d_density = device_new<float>(POINTS);
}
static void step(void)
{
    densities<<<blocks_for(POINTS, TILE), TILE>>>(POINTS, 0.5f, d_x, d_y, d_z, d_weight, d_density);
    device_wait();
}
static void end(void) { from_device(density, d_density, POINTS); }
#endif
static int check(void)
{
    for (int i = 0; i < POINTS; i += 521) {
        double sum = 0;
        for (int j = 0; j < POINTS; ++j)
            sum += weight[j] * exp(-0.5 * ((double)(x[i] - x[j]) * (x[i] - x[j]) + (double)(y[i] - y[j]) * (y[i] - y[j]) + (double)(z[i] - z[j]) * (z[i] - z[j])));
        if (!is_close(density[i], sum, 1e-4))
            return 0;
    }
    return 1;
}
#include "driver.h"
