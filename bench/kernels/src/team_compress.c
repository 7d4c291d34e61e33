/* compression of floating point numbers: a team for each block, which finds its largest exponent and packs its values */
#include "bench.h"
#ifndef __CUDACC__
#include <omp.h>
#endif
#define BLOCK 128
#define BLOCKS (1 << 17)
static const double bytes = 5.0 * BLOCK * BLOCKS;
static float *x;
static signed char *packed;
static int *exponents;

static void setup(void)
{
    x = NEW(float, BLOCK * BLOCKS), packed = NEW(signed char, BLOCK * BLOCKS), exponents = NEW(int, BLOCKS);
    for (int i = 0; i < BLOCK * BLOCKS; ++i)
        x[i] = (float)(i % 8191 - 4000) / (float)(1 + i / BLOCK % 100);
}
#ifndef __CUDACC__
static void compress(int blocks, const float *x, signed char *packed, int *exponents)
{
#pragma omp target teams num_teams(blocks) thread_limit(BLOCK) map(to: x[0:blocks * BLOCK]) map(from: packed[0:blocks * BLOCK], exponents[0:blocks])
    {
        float value[BLOCK];
        int bits[BLOCK], most;
#pragma omp parallel
        {
            const int i = omp_get_thread_num(), block = omp_get_team_num();
            int e;
            value[i] = x[block * BLOCK + i];
            frexpf(value[i], &e);
            bits[i] = e;
#pragma omp barrier
            for (int half = BLOCK / 2; half > 0; half /= 2) {
                if (i < half && bits[i] < bits[i + half])
                    bits[i] = bits[i + half];
#pragma omp barrier
            }
            if (i == 0)
                most = bits[0], exponents[block] = most;
#pragma omp barrier
            packed[block * BLOCK + i] = (signed char)(value[i] * exp2f((float)(7 - most)) * 0.99f);
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: x[0:BLOCK * BLOCKS]) map(alloc: packed[0:BLOCK * BLOCKS], exponents[0:BLOCKS])
}
static void step(void) { compress(BLOCKS, x, packed, exponents); }
static void end(void)
{
#pragma omp target exit data map(from: packed[0:BLOCK * BLOCKS], exponents[0:BLOCKS]) map(delete: x[0:BLOCK * BLOCKS])
}
#else
static float *d_x;
static signed char *d_packed;
static int *d_exponents;
__global__ void compress(const float *__restrict__ x, signed char *__restrict__ packed, int *__restrict__ exponents)
{
    __shared__ float value[BLOCK];
    __shared__ int bits[BLOCK], most;
    const int i = threadIdx.x, block = blockIdx.x;
    int e;
    value[i] = x[block * BLOCK + i];
    frexpf(value[i], &e);
    bits[i] = e;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (i < half && bits[i] < bits[i + half])
            bits[i] = bits[i + half];
        __syncthreads();
    }
    if (i == 0)
        most = bits[0], exponents[block] = most;
    __syncthreads();
    packed[block * BLOCK + i] = (signed char)(value[i] * exp2f((float)(7 - most)) * 0.99f);
}
static void begin(void)
{
    d_x = device_copy(x, BLOCK * BLOCKS), d_packed = device_new<signed char>(BLOCK * BLOCKS), d_exponents = device_new<int>(BLOCKS);
}
static void step(void)
{
    compress<<<BLOCKS, BLOCK>>>(d_x, d_packed, d_exponents);
    device_wait();
}
static void end(void) { from_device(packed, d_packed, BLOCK * BLOCKS), from_device(exponents, d_exponents, BLOCKS); }
#endif
static int check(void)
{
    for (int block = 0; block < BLOCKS; block += 173) {
        int most = -1000, e;
        for (int i = 0; i < BLOCK; ++i) {
            frexpf(x[block * BLOCK + i], &e);
            most = e > most ? e : most;
        }
        if (exponents[block] != most)
            return 0;
        for (int i = 0; i < BLOCK; ++i)
            if (fabs(packed[block * BLOCK + i] - x[block * BLOCK + i] * exp2(7 - most) * 0.99) > 1.01)
                return 0;
    }
    return 1;
}
#include "driver.h"
