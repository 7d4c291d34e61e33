/* options by a binomial tree: a team for each, its values in shared memory go down level by level */
#include "bench.h"
#define LEVELS 256
#define OPTIONS 8192
static const double bytes = 12.0 * OPTIONS;
static float *spot, *strike, *price;

static void setup(void)
{
    spot = NEW(float, OPTIONS), strike = NEW(float, OPTIONS), price = NEW(float, OPTIONS);
    for (int i = 0; i < OPTIONS; ++i)
        spot[i] = 5 + (float)(i % 2501) / 100, strike[i] = 1 + (float)(i % 2999) / 100;
}
#ifndef __CUDACC__
static void options(int count, const float *spot, const float *strike, float *price)
{
#pragma omp target teams distribute thread_limit(LEVELS) map(to: spot[0:count], strike[0:count]) map(from: price[0:count])
    for (int o = 0; o < count; ++o) {
        float value[LEVELS + 1], next[LEVELS + 1];
        const float up = 0.51f, down = 0.489f;
#pragma omp parallel for
        for (int i = 0; i <= LEVELS; ++i) {
            const float at = spot[o] * expf(0.02f * (2.0f * (float)i - LEVELS)) - strike[o];
            value[i] = at > 0 ? at : 0;
        }
        for (int level = LEVELS; level > 0; level -= 2) {
#pragma omp parallel for
            for (int i = 0; i < level; ++i)
                next[i] = up * value[i + 1] + down * value[i];
#pragma omp parallel for
            for (int i = 0; i < level - 1; ++i)
                value[i] = up * next[i + 1] + down * next[i];
        }
        price[o] = value[0];
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: spot[0:OPTIONS], strike[0:OPTIONS]) map(alloc: price[0:OPTIONS])
}
static void step(void) { options(OPTIONS, spot, strike, price); }
static void end(void)
{
#pragma omp target exit data map(from: price[0:OPTIONS]) map(delete: spot[0:OPTIONS], strike[0:OPTIONS])
}
#else
static float *d_spot, *d_strike, *d_price;
__global__ void options(const float *__restrict__ spot, const float *__restrict__ strike, float *__restrict__ price)
{
    __shared__ float value[LEVELS + 1], next[LEVELS + 1];
    const float up = 0.51f, down = 0.489f;
    for (int i = threadIdx.x; i <= LEVELS; i += LEVELS) {
        const float at = spot[blockIdx.x] * expf(0.02f * (2.0f * (float)i - LEVELS)) - strike[blockIdx.x];
        value[i] = at > 0 ? at : 0;
    }
    __syncthreads();
    for (int level = LEVELS; level > 0; level -= 2) {
        const int i = threadIdx.x;
        if (i < level)
            next[i] = up * value[i + 1] + down * value[i];
        __syncthreads();
        if (i < level - 1)
            value[i] = up * next[i + 1] + down * next[i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        price[blockIdx.x] = value[0];
}
static void begin(void)
{
    d_spot = device_copy(spot, OPTIONS), d_strike = device_copy(strike, OPTIONS), d_price = device_new<float>(OPTIONS);
}
static void step(void)
{
    options<<<OPTIONS, LEVELS>>>(d_spot, d_strike, d_price);
    device_wait();
}
static void end(void) { from_device(price, d_price, OPTIONS); }
#endif
static int check(void)
{
    for (int o = 0; o < OPTIONS; o += 331) {
        static double value[LEVELS + 1];
        for (int i = 0; i <= LEVELS; ++i)
            value[i] = fmax(0, spot[o] * exp(0.02 * (2.0 * i - LEVELS)) - strike[o]);
        for (int level = LEVELS; level > 0; --level)
            for (int i = 0; i < level; ++i)
                value[i] = 0.51 * value[i + 1] + 0.489 * value[i];
        if (fabs(value[0] - price[o]) > 1e-3 * (1 + fabs(value[0])))
            return 0;
    }
    return 1;
}
#include "driver.h"
