/* teams with data that their threads share: every tile is read once and written reversed */
#include "bench.h"
#define TILE 256
#define TILES (1 << 16)
static const double bytes = 8.0 * TILE * TILES;
static float *in, *out;

static void setup(void)
{
    in = NEW(float, TILE * TILES), out = NEW(float, TILE * TILES);
    for (int i = 0; i < TILE * TILES; ++i)
        in[i] = (float)(i % 1023);
}
#ifndef __CUDACC__
static void reverse(int tiles, const float *in, float *out)
{
#pragma omp target teams distribute thread_limit(TILE) map(to: in[0:tiles * TILE]) map(from: out[0:tiles * TILE])
    for (int t = 0; t < tiles; ++t) {
        float tile[TILE];
#pragma omp parallel for
        for (int i = 0; i < TILE; ++i)
            tile[i] = in[t * TILE + i];
#pragma omp parallel for
        for (int i = 0; i < TILE; ++i)
            out[t * TILE + i] = tile[TILE - 1 - i];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:TILE * TILES]) map(alloc: out[0:TILE * TILES])
}
static void step(void) { reverse(TILES, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:TILE * TILES]) map(delete: in[0:TILE * TILES])
}
#else
static float *din, *dout;
__global__ void reverse(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[TILE];
    tile[threadIdx.x] = in[blockIdx.x * TILE + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * TILE + threadIdx.x] = tile[TILE - 1 - threadIdx.x];
}
static void begin(void) { din = device_copy(in, TILE * TILES), dout = device_new<float>(TILE * TILES); }
static void step(void)
{
    reverse<<<TILES, TILE>>>(din, dout);
    device_wait();
}
static void end(void) { from_device(out, dout, TILE * TILES); }
#endif
static int check(void)
{
    for (int t = 0; t < TILES; ++t)
        for (int i = 0; i < TILE; ++i)
            if (out[t * TILE + i] != in[t * TILE + TILE - 1 - i])
                return 0;
    return 1;
}
#include "driver.h"
