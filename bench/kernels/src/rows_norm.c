/* normalisation of rows as people write it: rows distributed, inside a plain loop for the sum, one for the squares, and one that writes; no reduction clause */
#include "bench.h"
#ifdef __CUDACC__
#include <cuda_pipeline.h>
#endif
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
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: in[0:ROWS * N]) map(alloc: out[0:ROWS * N])
}
static void step(void) { normalise(ROWS, N, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:ROWS * N])
}
#else
static float *d_in, *d_out;
#ifdef ANY_ORDER /* sums in another order than the C, so that a block shares a row */
#define LAUNCH ROWS, 256
struct plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};
__global__ void normalise(int n, const float *__restrict__ in, float *__restrict__ out)
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
#else /* sums in the order of the C: a warp has two rows, brings pieces of them to shared memory ahead, and lanes add them up */
enum { MINE = 2, PIECE = 64, STAGES = 4 }; /* rows of a warp; words of 16 bytes of a row at a time; pieces on their way */
#define LAUNCH ROWS / MINE, 32
template <class Add>
__device__ void in_order(float4 (*stages)[MINE][PIECE + 1], const float4 *rows, int words, Add add)
{
    const int lane = threadIdx.x, pieces = words / PIECE;
    auto bring = [&](int piece) {
        if (piece < pieces)
            for (int word = lane; word < MINE * PIECE; word += 32)
                __pipeline_memcpy_async(&stages[piece % STAGES][word / PIECE][word % PIECE],
                                        rows + word / PIECE * words + piece * PIECE + word % PIECE, 16);
        __pipeline_commit();
    };
    for (int piece = 0; piece < STAGES - 1; ++piece)
        bring(piece);
    for (int piece = 0; piece < pieces; ++piece) {
        bring(piece + STAGES - 1);
        __pipeline_wait_prior(STAGES - 1);
        __syncwarp();
#pragma unroll 8
        for (int k = 0; k < PIECE; ++k) {
            const float4 four = stages[piece % STAGES][lane % MINE][k];
            add(four.x), add(four.y), add(four.z), add(four.w);
        }
        __syncwarp();
    }
}
__global__ void __launch_bounds__(32) normalise(int n, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float4 stages[STAGES][MINE][PIECE + 1];
    const float4 *rows = (const float4 *)(in + (size_t)blockIdx.x * MINE * n);
    float4 *to = (float4 *)(out + (size_t)blockIdx.x * MINE * n);
    float sum = 0, squares = 0;
    in_order(stages, rows, n / 4, [&](float x) { sum += x; });
    const float mean = sum / (float)n;
    in_order(stages, rows, n / 4, [&](float x) { squares += (x - mean) * (x - mean); });
    const float scale = 1 / sqrtf(squares / (float)n + 1e-5f);
    for (int row = 0; row < MINE; ++row) {
        const float m = __shfl_sync(~0u, mean, row), s = __shfl_sync(~0u, scale, row);
#pragma unroll 4
        for (int k = row * (n / 4) + threadIdx.x; k < (row + 1) * (n / 4); k += 32)
            to[k] = make_float4((rows[k].x - m) * s, (rows[k].y - m) * s, (rows[k].z - m) * s, (rows[k].w - m) * s);
    }
}
#endif
static void begin(void) { d_in = device_copy(in, ROWS * N), d_out = device_new<float>(ROWS * N); }
static void step(void)
{
    normalise<<<LAUNCH>>>(N, d_in, d_out);
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
