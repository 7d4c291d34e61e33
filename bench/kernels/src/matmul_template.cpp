/* a matrix product as a function template over the element's type and the inner dimension */
#include "bench.h"
#define N 1024
static const double bytes = 0;
static double *a, *b, *c;

#ifdef __CUDACC__
template <class T, int Inner> __global__ void product(int n, int m, const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) {
        T sum = 0;
        for (int k = 0; k < Inner; ++k)
            sum += a[i * Inner + k] * b[k * m + j];
        c[i * m + j] = sum;
    }
}
static double *d_a, *d_b, *d_c;
#else
template <class T, int Inner> void product(int n, int m, const T *a, const T *b, T *c)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: a[0:n * Inner], b[0:Inner * m]) map(from: c[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            T sum = 0;
            for (int k = 0; k < Inner; ++k)
                sum += a[i * Inner + k] * b[k * m + j];
            c[i * m + j] = sum;
        }
}
#endif

static void setup(void)
{
    a = NEW(double, N * N), b = NEW(double, N * N), c = NEW(double, N * N);
    for (int i = 0; i < N * N; ++i)
        a[i] = i % 13 - 6, b[i] = i % 11 - 5, c[i] = 0;
}
static void begin(void)
{
#ifdef __CUDACC__
    d_a = device_copy(a, N * N), d_b = device_copy(b, N * N), d_c = device_copy(c, N * N);
#else
#pragma omp target enter data map(to: a[0:N * N], b[0:N * N]) map(alloc: c[0:N * N])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    product<double, N><<<dim3(N / 32, N / 8), dim3(32, 8)>>>(N, N, d_a, d_b, d_c);
    device_wait();
#else
    product<double, N>(N, N, a, b, c);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(c, d_c, N * N);
#else
#pragma omp target exit data map(from: c[0:N * N])
#endif
}
static int check(void)
{
    for (int i = 0; i < N; i += 41)
        for (int j = 0; j < N; ++j) {
            double sum = 0;
            for (int k = 0; k < N; ++k)
                sum += a[i * N + k] * b[k * N + j];
            if (c[i * N + j] != sum)
                return 0;
        }
    return 1;
}
#include "driver.h"
