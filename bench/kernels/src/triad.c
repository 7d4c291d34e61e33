/* a = b + s c, 64-bit loop variable, float */
#include "bench.h"
#define N (1L << 26)
static const double bytes = 12.0 * N;
static float *a, *b, *c;

static void setup(void)
{
    a = NEW(float, N), b = NEW(float, N), c = NEW(float, N);
    for (long i = 0; i < N; ++i)
        a[i] = 0, b[i] = (float)(i % 17), c[i] = (float)(i % 5);
}
#ifndef __CUDACC__
static void triad(long n, float s, float *a, const float *b, const float *c)
{
#pragma omp target teams distribute parallel for map(from: a[0:n]) map(to: b[0:n], c[0:n])
    for (long i = 0; i < n; ++i)
        a[i] = b[i] + s * c[i];
}
static void begin(void)
{
#pragma omp target enter data map(to: a[0:N], b[0:N], c[0:N])
}
static void step(void) { triad(N, 3.0f, a, b, c); }
static void end(void)
{
#pragma omp target exit data map(from: a[0:N]) map(delete: b[0:N], c[0:N])
}
#else
static float *da, *db, *dc;
__global__ void triad(long n, float s, float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + s * c[i];
}
static void begin(void) { da = device_copy(a, N), db = device_copy(b, N), dc = device_copy(c, N); }
static void step(void)
{
    triad<<<blocks_for(N, 256), 256>>>(N, 3.0f, da, db, dc);
    device_wait();
}
static void end(void) { from_device(a, da, N); }
#endif
static int check(void)
{
    for (long i = 0; i < N; ++i)
        if (a[i] != (float)(i % 17) + 3.0f * (float)(i % 5))
            return 0;
    return 1;
}
#include "driver.h"
