/* sparse iteration: Jacobi on a matrix in ELLPACK form, rows of a warp side by side, and the largest change as a reduction */
#include "bench.h"
#define N (1 << 20)
#define WIDTH 16
static const double bytes = N * (12.0 * WIDTH + 8 + 8 + 8 + 8);
static int *column;
static double *entry, *diagonal, *right, *x, *next;
static double change;

static void setup(void)
{
    column = NEW(int, N * WIDTH), entry = NEW(double, N * WIDTH);
    diagonal = NEW(double, N), right = NEW(double, N), x = NEW(double, N), next = NEW(double, N);
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < WIDTH; ++k) {
            const int to = i + (k % 2 ? 1 : -1) * (k / 2 * 37 + 1);
            column[k * N + i] = to < 0 || to >= N ? i : to;
            entry[k * N + i] = to < 0 || to >= N ? 0 : -1.0 / (1 + k % 3);
        }
        diagonal[i] = 20, right[i] = (double)(i % 19) / 19, x[i] = (double)(i % 7) / 7;
    }
}
#ifndef __CUDACC__
static double sweep(int n, int width, const int *column, const double *entry, const double *diagonal, const double *right, const double *x, double *next)
{
    double most = 0;
#pragma omp target teams distribute parallel for reduction(max: most)
    for (int i = 0; i < n; ++i) {
        double sum = right[i];
        for (int k = 0; k < width; ++k)
            sum -= entry[(size_t)k * n + i] * x[column[(size_t)k * n + i]];
        next[i] = sum / diagonal[i];
        const double moved = fabs(next[i] - x[i]);
        most = moved > most ? moved : most;
    }
    return most;
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: column[0:N * WIDTH], entry[0:N * WIDTH], diagonal[0:N], right[0:N], x[0:N]) map(alloc: next[0:N])
}
static void step(void) { change = sweep(N, WIDTH, column, entry, diagonal, right, x, next); }
static void end(void)
{
#pragma omp target exit data map(from: next[0:N])
}
#else
static int *d_column;
static double *d_entry, *d_diagonal, *d_right, *d_x, *d_next, *d_change;
struct greater {
    __device__ double operator()(double a, double b) const { return fmax(a, b); }
};
__global__ void sweep(int n, int width, const int *__restrict__ column, const double *__restrict__ entry, const double *__restrict__ diagonal, const double *__restrict__ right, const double *__restrict__ x, double *__restrict__ next, double *change)
{
    __shared__ double shared[32];
    double most = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double sum = right[i];
        for (int k = 0; k < width; ++k)
            sum -= entry[(size_t)k * n + i] * x[column[(size_t)k * n + i]];
        next[i] = sum = sum / diagonal[i];
        most = fmax(most, fabs(sum - x[i]));
    }
    most = block_reduce(most, greater(), shared);
    if (threadIdx.x == 0)
        atomicMax((unsigned long long *)change, (unsigned long long)__double_as_longlong(most)); /* not negative */
}
static void begin(void)
{
    d_column = device_copy(column, N * WIDTH), d_entry = device_copy(entry, N * WIDTH), d_diagonal = device_copy(diagonal, N);
    d_right = device_copy(right, N), d_x = device_copy(x, N), d_next = device_new<double>(N), d_change = device_new<double>(1);
}
static void step(void)
{
    cuda_check(cudaMemset(d_change, 0, sizeof *d_change));
    sweep<<<resident_blocks(256), 256>>>(N, WIDTH, d_column, d_entry, d_diagonal, d_right, d_x, d_next, d_change);
    from_device(&change, d_change, 1);
}
static void end(void) { from_device(next, d_next, N); }
#endif
static int check(void)
{
    double most = 0;
    for (int i = 0; i < N; ++i) {
        double sum = right[i];
        for (int k = 0; k < WIDTH; ++k)
            sum -= entry[(size_t)k * N + i] * x[column[(size_t)k * N + i]];
        if (!is_close(next[i], sum / diagonal[i], 1e-12))
            return 0;
        most = fmax(most, fabs(next[i] - x[i]));
    }
    return is_close(change, most, 1e-12);
}
#include "driver.h"
