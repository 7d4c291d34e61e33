/* Poisson's equation by red-black relaxation in place: a loop over rows distributed, in the loop over columns an `if` that picks one colour */
#include "bench.h"
#define N 4096
static const double bytes = 0;
static double *u, *f, *start;

static void setup(void)
{
    u = NEW(double, N * N), f = NEW(double, N * N), start = NEW(double, N * N);
    for (int i = 0; i < N * N; ++i)
        u[i] = start[i] = (double)(i % 97) / 97, f[i] = (double)(i % 11) / 1100;
}
#define RELAX(at, n) u[at] += 0.8 * (0.25 * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + f[at]) - u[at])
#ifndef __CUDACC__
static void relax(int n, double *u, const double *f, int colour)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i < n - 1; ++i)
        for (int j = 1; j < n - 1; ++j)
            if ((i + j) % 2 == colour)
                RELAX(i * n + j, n);
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: u[0:N * N], f[0:N * N])
}
static void step(void)
{
    relax(N, u, f, 0);
    relax(N, u, f, 1);
}
static void end(void)
{
#pragma omp target exit data map(from: u[0:N * N])
}
#else
static double *d_u, *d_f;
__global__ void relax(int n, double *u, const double *__restrict__ f, int colour)
{
    const int i = blockIdx.y + 1, j = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (i + 1 + colour) % 2;
    if (j < n - 1)
        RELAX(i * n + j, n);
}
static void begin(void) { d_u = device_copy(u, N * N), d_f = device_copy(f, N * N); }
static void step(void)
{
    for (int colour = 0; colour < 2; ++colour)
        relax<<<dim3(N / 512, N - 2), 256>>>(N, d_u, d_f, colour);
    device_wait();
}
static void end(void) { from_device(u, d_u, N * N); }
#endif
static int check(void)
{
    double *got = u;
    u = start;
    for (int s = 0; s < 2 * steps; ++s)
        for (int i = 1; i < N - 1; ++i)
            for (int j = 1 + (i + 1 + s) % 2; j < N - 1; j += 2)
                RELAX(i * N + j, N);
    for (int i = 0; i < N * N; ++i)
        if (!is_close(got[i], u[i], 1e-12))
            return 0;
    return 1;
}
#include "driver.h"
