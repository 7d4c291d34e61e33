/* charge of particles on a line of cells: each particle adds to the two cells beside it; how many there are only the run knows */
#include "bench.h"
#define N (1 << 24)
#define CELLS 1000
static const double bytes = 8.0 * N;
static float *place, *charge;
static double *density;

static void setup(void)
{
    place = NEW(float, N), charge = NEW(float, N), density = NEW(double, CELLS + 1);
    for (int i = 0; i < N; ++i) {
        place[i] = (float)(next_random() & 0xffffff) / 0x1000000 * CELLS;
        charge[i] = (float)(1 + next_random() / 65536 % 8);
    }
    memset(density, 0, (CELLS + 1) * sizeof *density);
}
#ifndef __CUDACC__
static void deposit(int n, int cells, const float *place, const float *charge, double *density)
{
#pragma omp target teams distribute parallel for reduction(+: density[0:cells + 1])
    for (int i = 0; i < n; ++i) {
        const int cell = (int)place[i];
        const float right = place[i] - (float)cell;
        density[cell] += charge[i] * (1 - right);
        density[cell + 1] += charge[i] * right;
    }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: place[0:N], charge[0:N], density[0:CELLS + 1])
}
static void step(void) { deposit(N, CELLS, place, charge, density); }
static void end(void)
{
#pragma omp target exit data map(from: density[0:CELLS + 1])
}
#else
static float *dplace, *dcharge;
static double *ddensity;
__global__ void deposit(int n, int cells, const float *__restrict__ place, const float *__restrict__ charge,
                        double *__restrict__ density)
{
    extern __shared__ double own[];
    for (int i = threadIdx.x; i <= cells; i += blockDim.x)
        own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int cell = (int)place[i];
        const float right = place[i] - (float)cell;
        atomicAdd(&own[cell], (double)(charge[i] * (1 - right)));
        atomicAdd(&own[cell + 1], (double)(charge[i] * right));
    }
    __syncthreads();
    for (int i = threadIdx.x; i <= cells; i += blockDim.x)
        atomicAdd(&density[i], own[i]);
}
static void begin(void)
{
    dplace = device_copy(place, N), dcharge = device_copy(charge, N), ddensity = device_copy(density, CELLS + 1);
}
static void step(void)
{
    deposit<<<resident_blocks(256), 256, (CELLS + 1) * sizeof(double)>>>(N, CELLS, dplace, dcharge, ddensity);
    device_wait();
}
static void end(void) { from_device(density, ddensity, CELLS + 1); }
#endif
static int check(void)
{
    double *wanted = NEW(double, CELLS + 1);
    memset(wanted, 0, (CELLS + 1) * sizeof *wanted);
    for (int i = 0; i < N; ++i) {
        const int cell = (int)place[i];
        const float right = place[i] - (float)cell;
        wanted[cell] += charge[i] * (1 - right);
        wanted[cell + 1] += charge[i] * right;
    }
    for (int i = 0; i <= CELLS; ++i)
        if (!is_close(density[i], wanted[i] * steps, 1e-6))
            return 0;
    return 1;
}
#include "driver.h"
