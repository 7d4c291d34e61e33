/* matrix product, where only the loop over rows is distributed */
#include "bench.h"
#define N 768
static const double bytes = 0;
static float *a, *b, *c;

static void setup(void)
{
    a = NEW(float, N * N), b = NEW(float, N * N), c = NEW(float, N * N);
    for (int i = 0; i < N * N; ++i)
        a[i] = (float)(i % 7), b[i] = (float)(i % 5), c[i] = 0;
}
#ifndef __CUDACC__
static void product(int n, const float *a, const float *b, float *c)
{
#pragma omp target teams distribute parallel for map(to: a[0:n * n], b[0:n * n]) map(tofrom: c[0:n * n])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: a[0:N * N], b[0:N * N], c[0:N * N])
}
static void step(void) { product(N, a, b, c); }
static void end(void)
{
#pragma omp target exit data map(from: c[0:N * N]) map(delete: a[0:N * N], b[0:N * N])
}
#else
static float *da, *db, *dc;
__global__ void product(int n, const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}
static void begin(void) { da = device_copy(a, N * N), db = device_copy(b, N * N), dc = device_copy(c, N * N); }
static void step(void)
{
    product<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, da, db, dc);
    device_wait();
}
static void end(void) { from_device(c, dc, N * N); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 37)
        for (int j = 0; j < N; j += 5) {
            double want = 0;
            for (int k = 0; k < N; k++)
                want += a[i * N + k] * b[k * N + j];
            if (!is_close(c[i * N + j], want, 1e-5))
                return 0;
        }
    return 1;
}
#include "driver.h"
