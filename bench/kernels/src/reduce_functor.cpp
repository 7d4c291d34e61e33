/* a function template that adds up what a functor, or a lambda, gives for every index */
#include "bench.h"
#define N (1 << 26)
static const double bytes = 3 * 8.0 * N;
static double *x, *y, dot, squares;

#ifdef __CUDACC__
struct plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};
template <class F> __global__ void sum_kernel(int n, F f, double *total)
{
    __shared__ double shared[32];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += f(i);
    sum = block_reduce(sum, plus(), shared);
    if (threadIdx.x == 0)
        atomicAdd(total, sum);
}
struct Product {
    const double *x, *y;
    __device__ double operator()(int i) const { return x[i] * y[i]; }
};
struct Scaled {
    const double *x;
    double s;
    __device__ double operator()(int i) const { return (x[i] - s) * (x[i] - s); }
};
static double *d_x, *d_y, *d_total;
template <class F> double sum(int n, F f)
{
    double total;
    cuda_check(cudaMemset(d_total, 0, sizeof(double)));
    sum_kernel<<<resident_blocks(256), 256>>>(n, f, d_total);
    from_device(&total, d_total, 1);
    return total;
}
#else
template <class F> double sum(int n, F f)
{
    double total = 0;
#pragma omp target teams distribute parallel for reduction(+: total)
    for (int i = 0; i < n; ++i)
        total += f(i);
    return total;
}
struct Product {
    const double *x, *y;
    double operator()(int i) const { return x[i] * y[i]; }
};
#endif

static void setup(void)
{
    x = NEW(double, N), y = NEW(double, N);
    for (int i = 0; i < N; ++i)
        x[i] = i % 7, y[i] = i % 5;
}
static void begin(void)
{
#ifdef __CUDACC__
    d_x = device_copy(x, N), d_y = device_copy(y, N), d_total = device_new<double>(1);
#else
#pragma omp target enter data map(to: x[0:N], y[0:N])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    dot = sum(N, Product{d_x, d_y});
    squares = sum(N, Scaled{d_x, 3});
#else
    double *u = x, *v = y, s = 3;
#pragma omp target data use_device_ptr(u, v)
    {
        dot = sum(N, Product{u, v});
        squares = sum(N, [=](int i) { return (u[i] - s) * (u[i] - s); });
    }
#endif
}
static void end(void)
{
#ifndef __CUDACC__
#pragma omp target exit data map(delete: x[0:N], y[0:N])
#endif
}
static int check(void)
{
    double wanted = 0, others = 0;
    for (int i = 0; i < N; ++i)
        wanted += x[i] * y[i], others += (x[i] - 3) * (x[i] - 3);
    return is_close(dot, wanted, 1e-12) && is_close(squares, others, 1e-12);
}
#include "driver.h"
