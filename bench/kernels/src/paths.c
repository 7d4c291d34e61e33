/* Monte Carlo pricing: each iteration walks a random path of a price with generator state in a local structure; two sums */
#include "bench.h"
#define PATHS (1 << 20)
#define DAYS 64
static const double bytes = 0;
typedef struct {
    unsigned int a, b, c, d;
} Generator;
typedef struct {
    float price, strike, drift, volatility;
} Option;
static const Option option = {100, 105, 0.0001f, 0.012f};
static double sum, squares;

static void setup(void) {}
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH static unsigned int next_word(Generator *g)
{
    const unsigned int t = g->d ^ (g->d << 11);
    g->d = g->c, g->c = g->b, g->b = g->a;
    return g->a = g->a ^ (g->a >> 19) ^ t ^ (t >> 8);
}
BOTH static float next_uniform(Generator *g) { return ((float)(next_word(g) >> 8) + 0.5f) * (1.0f / 16777216); }
BOTH static double payoff(Option option, int days, int path)
{
    Generator g = {123456789u + (unsigned int)path * 2654435761u, 362436069u ^ (unsigned int)path, 521288629u, 88675123u};
    float price = option.price, most = option.price;
    for (int day = 0; day < days; day += 2) {
        const float radius = sqrtf(-2 * logf(next_uniform(&g))), angle = 6.2831853f * next_uniform(&g);
        price *= expf(option.drift + option.volatility * radius * cosf(angle));
        most = price > most ? price : most;
        price *= expf(option.drift + option.volatility * radius * sinf(angle));
        most = price > most ? price : most;
    }
    return most > option.strike ? most - option.strike : 0;
}
#ifndef __CUDACC__
static void price(Option option, int paths, int days, double *result)
{
    double total = 0, square = 0;
#pragma omp target teams distribute parallel for reduction(+: total, square)
    for (int path = 0; path < paths; ++path) {
        const double value = payoff(option, days, path);
        total += value;
        square += value * value;
    }
    result[0] = total, result[1] = square;
}
static void begin(void) {}
static void step(void)
{
    double result[2];
    price(option, PATHS, DAYS, result);
    sum = result[0], squares = result[1];
}
static void end(void) {}
#else
static double *d_result;
struct plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};
__global__ void price(Option option, int paths, int days, double *result)
{
    __shared__ double shared[32];
    double total = 0, square = 0;
    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += gridDim.x * blockDim.x) {
        const double value = payoff(option, days, path);
        total += value;
        square += value * value;
    }
    total = block_reduce(total, plus(), shared);
    __syncthreads();
    square = block_reduce(square, plus(), shared);
    if (threadIdx.x == 0) {
        atomicAdd(result, total);
        atomicAdd(result + 1, square);
    }
}
static void begin(void) { d_result = device_new<double>(2); }
static void step(void)
{
    double result[2];
    cuda_check(cudaMemset(d_result, 0, sizeof result));
    price<<<resident_blocks(256), 256>>>(option, PATHS, DAYS, d_result);
    from_device(result, d_result, 2);
    sum = result[0], squares = result[1];
}
static void end(void) {}
#endif
static int check(void)
{
    double total = 0;
    for (int path = 0; path < PATHS; path += 16)
        total += payoff(option, DAYS, path);
    return is_close(sum / PATHS, total / (PATHS / 16), 2e-2) && squares > sum;
}
#include "driver.h"
