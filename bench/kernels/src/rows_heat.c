/* implicit heat conduction: conjugate gradients on the five-point operator, in loops over rows with loops over columns inside */
#include "bench.h"
#define N 1024
#define PITCH (N + 2)
#define SIZE ((size_t)PITCH * PITCH)
#define ITERATIONS 40
static const double bytes = 0;
static double *b, *x, *r, *p, *w, *k;
static double residual;

static void setup(void)
{
    double **all[] = {&b, &x, &r, &p, &w, &k};
    for (int n = 0; n < 6; ++n)
        *all[n] = NEW(double, SIZE);
    for (size_t n = 0; n < SIZE; ++n)
        b[n] = (double)(n % 13), x[n] = r[n] = p[n] = w[n] = 0, k[n] = 1 + 0.1 * (double)(n % 5);
}
#ifndef __CUDACC__
static double start(int n, int pitch, const double *b, double *x, double *r, double *p)
{
    double rr = 0;
#pragma omp target teams distribute parallel for reduction(+: rr)
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const int at = i * pitch + j;
            x[at] = 0;
            r[at] = b[at];
            p[at] = b[at];
            rr += b[at] * b[at];
        }
    return rr;
}
static double apply(int n, int pitch, const double *k, const double *p, double *w)
{
    double pw = 0;
#pragma omp target teams distribute parallel for reduction(+: pw)
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const int at = i * pitch + j;
            w[at] = (1 + k[at + 1] + k[at] + k[at + pitch] + k[at]) * p[at] - (k[at + 1] * p[at + 1] + k[at] * p[at - 1]) -
                    (k[at + pitch] * p[at + pitch] + k[at] * p[at - pitch]);
            pw += w[at] * p[at];
        }
    return pw;
}
static double improve(int n, int pitch, double alpha, const double *p, const double *w, double *x, double *r)
{
    double rr = 0;
#pragma omp target teams distribute parallel for reduction(+: rr)
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j) {
            const int at = i * pitch + j;
            x[at] += alpha * p[at];
            r[at] -= alpha * w[at];
            rr += r[at] * r[at];
        }
    return rr;
}
static void direction(int n, int pitch, double beta, const double *r, double *p)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j)
            p[i * pitch + j] = r[i * pitch + j] + beta * p[i * pitch + j];
}
static void begin(void)
{
#pragma omp target enter data map(to: b[0:SIZE], x[0:SIZE], r[0:SIZE], p[0:SIZE], w[0:SIZE], k[0:SIZE])
}
static void step(void)
{
    double rr = start(N, PITCH, b, x, r, p);
    for (int n = 0; n < ITERATIONS; ++n) {
        const double pw = apply(N, PITCH, k, p, w), next = improve(N, PITCH, rr / pw, p, w, x, r);
        direction(N, PITCH, next / rr, r, p);
        rr = next;
    }
    residual = rr;
}
static void end(void)
{
#pragma omp target exit data map(from: x[0:SIZE]) map(delete: b[0:SIZE], r[0:SIZE], p[0:SIZE], w[0:SIZE], k[0:SIZE])
}
#else
static double *db, *dx, *dr, *dp, *dw, *dk, *d_partial;
static unsigned int blocks;
struct plus {
    __device__ double operator()(double a, double b) const { return a + b; }
};
#define CELLS                                                                                                                          \
    for (int cell = blockIdx.x * blockDim.x + threadIdx.x, i = cell / n + 1, j = cell % n + 1, at = i * pitch + j; cell < n * n;        \
         cell += gridDim.x * blockDim.x, i = cell / n + 1, j = cell % n + 1, at = i * pitch + j)
__device__ static void finish(double sum, double *partial)
{
    __shared__ double shared[32];
    sum = block_reduce(sum, plus(), shared);
    if (threadIdx.x == 0)
        atomicAdd(partial, sum);
}
__global__ void start(int n, int pitch, const double *__restrict__ b, double *__restrict__ x, double *__restrict__ r, double *__restrict__ p, double *partial)
{
    double rr = 0;
    CELLS
    {
        x[at] = 0, r[at] = b[at], p[at] = b[at];
        rr += b[at] * b[at];
    }
    finish(rr, partial);
}
__global__ void apply(int n, int pitch, const double *__restrict__ k, const double *__restrict__ p, double *__restrict__ w, double *partial)
{
    double pw = 0;
    CELLS
    {
        const double here = k[at], v = (1 + k[at + 1] + here + k[at + pitch] + here) * p[at] - (k[at + 1] * p[at + 1] + here * p[at - 1]) -
                                       (k[at + pitch] * p[at + pitch] + here * p[at - pitch]);
        w[at] = v;
        pw += v * p[at];
    }
    finish(pw, partial);
}
__global__ void improve(int n, int pitch, double alpha, const double *__restrict__ p, const double *__restrict__ w, double *__restrict__ x, double *__restrict__ r, double *partial)
{
    double rr = 0;
    CELLS
    {
        x[at] += alpha * p[at];
        const double v = r[at] - alpha * w[at];
        r[at] = v;
        rr += v * v;
    }
    finish(rr, partial);
}
__global__ void direction(int n, int pitch, double beta, const double *__restrict__ r, double *__restrict__ p)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i <= n && j <= n)
        p[i * pitch + j] = r[i * pitch + j] + beta * p[i * pitch + j];
}
static void begin(void)
{
    db = device_copy(b, SIZE), dx = device_copy(x, SIZE), dr = device_copy(r, SIZE), dp = device_copy(p, SIZE);
    dw = device_copy(w, SIZE), dk = device_copy(k, SIZE), d_partial = device_new<double>(1), blocks = resident_blocks(256);
}
static double started(void)
{
    double sum;
    cuda_check(cudaMemset(d_partial, 0, sizeof sum));
    start<<<blocks, 256>>>(N, PITCH, db, dx, dr, dp, d_partial);
    from_device(&sum, d_partial, 1);
    return sum;
}
static double applied(void)
{
    double sum;
    cuda_check(cudaMemset(d_partial, 0, sizeof sum));
    apply<<<blocks, 256>>>(N, PITCH, dk, dp, dw, d_partial);
    from_device(&sum, d_partial, 1);
    return sum;
}
static double improved(double alpha)
{
    double sum;
    cuda_check(cudaMemset(d_partial, 0, sizeof sum));
    improve<<<blocks, 256>>>(N, PITCH, alpha, dp, dw, dx, dr, d_partial);
    from_device(&sum, d_partial, 1);
    return sum;
}
static void step(void)
{
    double rr = started();
    for (int n = 0; n < ITERATIONS; ++n) {
        const double pw = applied(), next = improved(rr / pw);
        direction<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(N, PITCH, next / rr, dr, dp);
        rr = next;
    }
    residual = rr;
    device_wait();
}
static void end(void) { from_device(x, dx, SIZE); }
#endif
static int check(void)
{
    double error = 0, size = 0;
    for (size_t i = 1; i <= N; ++i)
        for (size_t j = 1; j <= N; ++j) {
            const size_t at = i * PITCH + j;
            const double v = (1 + k[at + 1] + k[at] + k[at + PITCH] + k[at]) * x[at] - (k[at + 1] * x[at + 1] + k[at] * x[at - 1]) -
                             (k[at + PITCH] * x[at + PITCH] + k[at] * x[at - PITCH]);
            error += (v - b[at]) * (v - b[at]), size += b[at] * b[at];
        }
    return error < 1e-8 * size && is_close(residual / size, error / size, 1e-8);
}
#include "driver.h"
