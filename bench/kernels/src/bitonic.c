/* sorting: a bitonic network over 32-bit keys, one launch for each of its steps; every iteration compares a pair in place */
#include "bench.h"
#define N (1 << 22)
static const double bytes = 0;
static unsigned int *keys, *given;

static void setup(void)
{
    keys = NEW(unsigned int, N), given = NEW(unsigned int, N);
    for (int i = 0; i < N; ++i)
        keys[i] = given[i] = (unsigned int)next_random();
}
#define COMPARE(k, size, apart)                                                                                        \
    const int low = 2 * (k) - ((k) & ((apart)-1)), high = low + (apart);                                               \
    const unsigned int a = keys[low], b = keys[high];                                                                  \
    if ((a > b) == ((low & (size)) == 0)) {                                                                            \
        keys[low] = b;                                                                                                 \
        keys[high] = a;                                                                                                \
    }
#ifndef __CUDACC__
static void sort(int n, unsigned int *keys)
{
    for (int size = 2; size <= n; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
#pragma omp target teams distribute parallel for map(tofrom: keys[0:n])
            for (int k = 0; k < n / 2; ++k) {
                COMPARE(k, size, apart)
            }
        }
}
static void begin(void)
{
#pragma omp target enter data map(to: keys[0:N])
}
static void step(void) { sort(N, keys); }
static void end(void)
{
#pragma omp target exit data map(from: keys[0:N])
}
#else
static unsigned int *d_keys;
__global__ void compare(int pairs, int size, int apart, unsigned int *keys)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < pairs) {
        COMPARE(k, size, apart)
    }
}
static void begin(void) { d_keys = device_copy(keys, N); }
static void step(void)
{
    for (int size = 2; size <= N; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2)
            compare<<<blocks_for(N / 2, 256), 256>>>(N / 2, size, apart, d_keys);
    device_wait();
}
static void end(void) { from_device(keys, d_keys, N); }
#endif
static int check(void)
{
    unsigned int sum = 0, all = 0;
    for (int i = 0; i < N; ++i) {
        sum += keys[i] * 3u ^ keys[i], all += given[i] * 3u ^ given[i];
        if (i && keys[i - 1] > keys[i])
            return 0;
    }
    return sum == all;
}
#include "driver.h"
