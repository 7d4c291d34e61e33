/* transposition in tiles by single threads: each walks a tile of its own; the hand-written kernel has tiles in shared memory */
#include "bench.h"
#define TILE 16
#define ROWS 4096
#define COLUMNS 4096
static const double bytes = 8.0 * ROWS * COLUMNS;
static float *in, *out;

static void setup(void)
{
    in = NEW(float, ROWS * COLUMNS), out = NEW(float, ROWS * COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i] = (float)(i % 65521);
}
#ifndef __CUDACC__
static void transpose(int rows, int columns, const float *in, float *out)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: in[0:rows * columns]) map(from: out[0:rows * columns])
    for (int row = 0; row < rows; row += TILE)
        for (int column = 0; column < columns; column += TILE)
            for (int r = row; r < row + TILE; ++r)
                for (int c = column; c < column + TILE; ++c)
                    out[c * rows + r] = in[r * columns + c];
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:ROWS * COLUMNS]) map(alloc: out[0:ROWS * COLUMNS])
}
static void step(void) { transpose(ROWS, COLUMNS, in, out); }
static void end(void)
{
#pragma omp target exit data map(from: out[0:ROWS * COLUMNS]) map(delete: in[0:ROWS * COLUMNS])
}
#else
static float *d_in, *d_out;
__global__ void transpose(int rows, int columns, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[32][33];
    const int row = blockIdx.y * 32, column = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x] = in[(row + r) * columns + column + threadIdx.x];
    __syncthreads();
    for (int c = threadIdx.y; c < 32; c += 8)
        out[(column + c) * rows + row + threadIdx.x] = tile[threadIdx.x][c];
}
static void begin(void) { d_in = device_copy(in, ROWS * COLUMNS), d_out = device_new<float>(ROWS * COLUMNS); }
static void step(void)
{
    transpose<<<dim3(COLUMNS / 32, ROWS / 32), dim3(32, 8)>>>(ROWS, COLUMNS, d_in, d_out);
    device_wait();
}
static void end(void) { from_device(out, d_out, ROWS * COLUMNS); }
#endif
static int check(void)
{
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            if (out[c * ROWS + r] != in[r * COLUMNS + c])
                return 0;
    return 1;
}
#include "driver.h"
