/* counting: the placings of queens on a board, from every beginning of a few rows, with a stack in a local array */
#include "bench.h"
#define QUEENS 14
#define BEGINNINGS (QUEENS * QUEENS * QUEENS * QUEENS)
static const double bytes = 0;
static long found;

static void setup(void) {}
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH static int solve(int queens, int beginning)
{
    unsigned int columns = 0, left = 0, right = 0;
    unsigned int tried[QUEENS], column[QUEENS], down[QUEENS], up[QUEENS];
    const unsigned int all = (1u << queens) - 1;
    int row = 0, count = 0;
    for (; row < 4; ++row, beginning /= queens) {
        const unsigned int bit = 1u << beginning % queens;
        if ((columns | left | right) & bit)
            return 0;
        columns |= bit, left = (left | bit) << 1 & all, right = (right | bit) >> 1;
    }
    column[row] = columns, down[row] = left, up[row] = right, tried[row] = ~(columns | left | right) & all;
    while (row >= 4) {
        if (!tried[row]) {
            --row;
            continue;
        }
        const unsigned int bit = tried[row] & -tried[row];
        tried[row] ^= bit;
        if (row == queens - 1) {
            ++count;
            continue;
        }
        column[row + 1] = column[row] | bit, down[row + 1] = (down[row] | bit) << 1 & all, up[row + 1] = (up[row] | bit) >> 1;
        ++row;
        tried[row] = ~(column[row] | down[row] | up[row]) & all;
    }
    return count;
}
#ifndef __CUDACC__
static long all_placings(int queens, int beginnings)
{
    long total = 0;
#pragma omp target teams distribute parallel for reduction(+: total)
    for (int i = 0; i < beginnings; ++i)
        total += solve(queens, i);
    return total;
}
static void begin(void) {}
static void step(void) { found = all_placings(QUEENS, BEGINNINGS); }
static void end(void) {}
#else
static unsigned long long *d_total;
struct plus {
    __device__ int operator()(int a, int b) const { return a + b; }
};
__global__ void all_placings(int queens, int beginnings, unsigned long long *total)
{
    __shared__ int shared[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = block_reduce(i < beginnings ? solve(queens, i) : 0, plus(), shared);
    if (threadIdx.x == 0 && sum)
        atomicAdd(total, (unsigned long long)sum);
}
static void begin(void) { d_total = device_new<unsigned long long>(1); }
static void step(void)
{
    unsigned long long total;
    cuda_check(cudaMemset(d_total, 0, sizeof total));
    all_placings<<<blocks_for(BEGINNINGS, 256), 256>>>(QUEENS, BEGINNINGS, d_total);
    from_device(&total, d_total, 1);
    found = (long)total;
}
static void end(void) {}
#endif
static int check(void) { return found == 365596; }
#include "driver.h"
