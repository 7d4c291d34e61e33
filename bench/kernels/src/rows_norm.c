/* normalisation of rows as people write it: rows distributed, inside a plain loop for the sum, one for the squares, and one that writes; no reduction clause */
#include "bench.h"
#define ROWS 4096
#define N 2048
static const double bytes = 8.0 * ROWS * N;
static float *in, *out;

static void setup(void)
{
    in = NEW(float, ROWS * N), out = NEW(float, ROWS * N);
    for (int i = 0; i < ROWS * N; ++i)
        in[i] = (float)(next_random() & 4095) / 1024;
}
#ifndef __CUDACC__
static void normalise(int rows, int n, const float *in, float *out)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < rows; ++i) {
        float sum = 0, squares = 0;
        for (int j = 0; j < n; ++j)
            sum += in[i * n + j];
        const float mean = sum / (float)n;
        for (int j = 0; j < n; ++j)
            squares += (in[i * n + j] - mean) * (in[i * n + j] - mean);
        const float scale = 1 / sqrtf(squares / (float)n + 1e-5f);
        for (int j = 0; j < n; ++j)
            out[i * n + j] = (in[i * n + j] - mean) * scale;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:ROWS * N]) map(alloc: out[0:ROWS * N])
}
static void step(void) { normalise(ROWS, N, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:ROWS * N])
}
#else
static float *d_in, *d_out;
struct plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};
__global__ void normalise(int n, const float *__restrict__ in, float *__restrict__ out) /* sums in another order than the C */
{
    __shared__ float shared[32], mean, scale;
    const float *row = in + (size_t)blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        sum += row[j];
    sum = block_reduce(sum, plus(), shared);
    if (threadIdx.x == 0)
        mean = sum / (float)n;
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        squares += (row[j] - mean) * (row[j] - mean);
    squares = block_reduce(squares, plus(), shared);
    if (threadIdx.x == 0)
        scale = 1 / sqrtf(squares / (float)n + 1e-5f);
    __syncthreads();
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        out[(size_t)blockIdx.x * n + j] = (row[j] - mean) * scale;
}
static void begin(void) { d_in = device_copy(in, ROWS * N), d_out = device_new<float>(ROWS * N); }
static void step(void)
{
    normalise<<<ROWS, 256>>>(N, d_in, d_out);
    device_wait();
}
static void end(void) { from_device(out, d_out, ROWS * N); }
#endif
static int check(void)
{
    for (int i = 0; i < ROWS; i += 31) {
        double sum = 0, squares = 0;
        for (int j = 0; j < N; ++j)
            sum += in[i * N + j];
        for (int j = 0; j < N; ++j)
            squares += (in[i * N + j] - sum / N) * (in[i * N + j] - sum / N);
        for (int j = 0; j < N; ++j)
            if (!is_close(out[i * N + j], (in[i * N + j] - sum / N) / sqrt(squares / N + 1e-5), 1e-3))
                return 0;
    }
    return 1;
}
#include "driver.h"
