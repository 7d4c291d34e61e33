/* a team per row: parallel reductions and a parallel loop with sequential parts between them */
#include "bench.h"
#define ROWS 8192
#define COLUMNS 2048
static const double bytes = 8.0 * ROWS * COLUMNS;
static float *in, *out;

static void setup(void)
{
    in = NEW(float, ROWS * COLUMNS), out = NEW(float, ROWS * COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i] = (float)(i * 31 % 97) / 10;
}
#ifndef __CUDACC__
static void softmax(int rows, int columns, const float *in, float *out)
{
#pragma omp target teams distribute map(to: in[0:rows * columns]) map(from: out[0:rows * columns])
    for (int r = 0; r < rows; ++r) {
        float high = -1e30f, sum = 0;
#pragma omp parallel for reduction(max: high)
        for (int c = 0; c < columns; ++c)
            high = in[r * columns + c] > high ? in[r * columns + c] : high;
#pragma omp parallel for reduction(+: sum)
        for (int c = 0; c < columns; ++c)
            sum += expf(in[r * columns + c] - high);
        const float scale = 1 / sum;
#pragma omp parallel for
        for (int c = 0; c < columns; ++c)
            out[r * columns + c] = expf(in[r * columns + c] - high) * scale;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:ROWS * COLUMNS]) map(alloc: out[0:ROWS * COLUMNS])
}
static void step(void) { softmax(ROWS, COLUMNS, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:ROWS * COLUMNS]) map(delete: in[0:ROWS * COLUMNS])
}
#else
static float *din, *dout;
__global__ void softmax(int columns, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float shared[32], total;
    const float *row = in + (size_t)blockIdx.x * columns;
    float high = -1e30f, sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        high = fmaxf(high, row[c]);
    high = block_reduce(high, [](float a, float b) { return fmaxf(a, b); }, shared);
    if (threadIdx.x == 0)
        total = high;
    __syncthreads();
    high = total;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        sum += expf(row[c] - high);
    sum = block_reduce(sum, [](float a, float b) { return a + b; }, shared);
    if (threadIdx.x == 0)
        total = 1 / sum;
    __syncthreads();
    const float scale = total;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        out[(size_t)blockIdx.x * columns + c] = expf(row[c] - high) * scale;
}
static void begin(void) { din = device_copy(in, ROWS * COLUMNS), dout = device_new<float>(ROWS * COLUMNS); }
static void step(void)
{
    softmax<<<ROWS, 128>>>(COLUMNS, din, dout);
    device_wait();
}
static void end(void) { from_device(out, dout, ROWS * COLUMNS); }
#endif
static int check(void)
{
    for (int r = 0; r < ROWS; r += 37) {
        double sum = 0;
        float high = -1e30f;
        for (int c = 0; c < COLUMNS; ++c)
            high = in[r * COLUMNS + c] > high ? in[r * COLUMNS + c] : high;
        for (int c = 0; c < COLUMNS; ++c)
            sum += exp(in[r * COLUMNS + c] - high);
        for (int c = 0; c < COLUMNS; ++c)
            if (fabs(out[r * COLUMNS + c] - exp(in[r * COLUMNS + c] - high) / sum) > 1e-6)
                return 0;
    }
    return 1;
}
#include "driver.h"
