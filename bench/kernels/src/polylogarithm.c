/* series of a special function: each thread adds up terms of a polylogarithm until they no longer count */
#include "bench.h"
#define N (1 << 20)
#define ORDER 3
static const double bytes = 0;
static double *z, *result;
static int *terms;

static void setup(void)
{
    z = NEW(double, N), result = NEW(double, N), terms = NEW(int, N);
    for (int i = 0; i < N; ++i)
        z[i] = 1.9 * (double)i / N - 0.95;
}
#define SERIES(z)                                                                                                      \
    double sum = 0, power = 1;                                                                                         \
    int k = 1;                                                                                                         \
    for (; k < 2000; ++k) {                                                                                            \
        double below = k;                                                                                              \
        for (int s = 1; s < order; ++s)                                                                                \
            below *= k;                                                                                                \
        power *= z;                                                                                                    \
        const double term = power / below;                                                                             \
        sum += term;                                                                                                   \
        if (fabs(term) < 1e-14 * fabs(sum))                                                                            \
            break;                                                                                                     \
    }
#ifndef __CUDACC__
static void series(int n, int order, const double *z, double *result, int *terms)
{
#pragma omp target teams distribute parallel for map(to: z[0:n]) map(from: result[0:n], terms[0:n])
    for (int i = 0; i < n; ++i) {
        const double at = z[i];
        SERIES(at)
        result[i] = sum, terms[i] = k;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: z[0:N]) map(alloc: result[0:N], terms[0:N])
}
static void step(void) { series(N, ORDER, z, result, terms); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:N], terms[0:N]) map(delete: z[0:N])
}
#else
static double *d_z, *d_result;
static int *d_terms;
__global__ void series(int n, int order, const double *__restrict__ z, double *__restrict__ result, int *__restrict__ terms)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const double at = z[i];
        SERIES(at)
        result[i] = sum, terms[i] = k;
    }
}
static void begin(void) { d_z = device_copy(z, N), d_result = device_new<double>(N), d_terms = device_new<int>(N); }
static void step(void)
{
    series<<<blocks_for(N, 256), 256>>>(N, ORDER, d_z, d_result, d_terms);
    device_wait();
}
static void end(void) { from_device(result, d_result, N), from_device(terms, d_terms, N); }
#endif
static int check(void)
{
    const int order = ORDER;
    for (int i = 0; i < N; i += 61) {
        const double at = z[i];
        SERIES(at)
        if (!is_close(result[i], sum, 1e-12) || abs(terms[i] - k) > 1)
            return 0;
    }
    return 1;
}
#include "driver.h"
