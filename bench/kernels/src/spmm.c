/* sparse matrix (CSR) times 32 dense columns */
#include "bench.h"
#define N (1 << 17)
#define ROW 24
#define COLUMNS 32
static const double bytes = 0;
static int *start, *column;
static float *value, *dense, *result;

static void setup(void)
{
    start = NEW(int, N + 1), column = NEW(int, N * ROW), value = NEW(float, N * ROW);
    dense = NEW(float, N * COLUMNS), result = NEW(float, N * COLUMNS);
    for (int i = 0; i <= N; ++i)
        start[i] = i * ROW;
    for (int k = 0; k < N * ROW; ++k)
        column[k] = (k / ROW + next_random() % 4096) % N, value[k] = (float)(k % 9);
    for (int i = 0; i < N * COLUMNS; ++i)
        dense[i] = (float)(i % 11);
}
#ifndef __CUDACC__
static void multiply(int rows, int columns, const int *start, const int *column, const float *value, const float *dense,
                     float *result)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            float sum = 0;
            for (int k = start[i]; k < start[i + 1]; ++k)
                sum += value[k] * dense[column[k] * columns + j];
            result[i * columns + j] = sum;
        }
}
static void begin(void)
{
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: start[0:N + 1], column[0:N * ROW], value[0:N * ROW], dense[0:N * COLUMNS])
#pragma omp target enter data map(alloc: result[0:N * COLUMNS])
}
static void step(void) { multiply(N, COLUMNS, start, column, value, dense, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:N * COLUMNS])
}
#else
static int *dstart, *dcolumn;
static float *dvalue, *ddense, *dresult;
__global__ void multiply(int rows, int columns, const int *__restrict__ start, const int *__restrict__ column,
                         const float *__restrict__ value, const float *__restrict__ dense, float *__restrict__ result)
{
    const int i = blockIdx.x * blockDim.y + threadIdx.y, j = threadIdx.x;
    if (i >= rows)
        return;
    float sum = 0;
    const int last = start[i + 1];
    for (int k = start[i]; k < last; ++k)
        sum += value[k] * dense[column[k] * columns + j];
    result[i * columns + j] = sum;
}
static void begin(void)
{
    dstart = device_copy(start, N + 1), dcolumn = device_copy(column, N * ROW), dvalue = device_copy(value, N * ROW);
    ddense = device_copy(dense, N * COLUMNS), dresult = device_new<float>(N * COLUMNS);
}
static void step(void)
{
    multiply<<<blocks_for(N, 8), dim3(COLUMNS, 8)>>>(N, COLUMNS, dstart, dcolumn, dvalue, ddense, dresult);
    device_wait();
}
static void end(void) { from_device(result, dresult, N * COLUMNS); }
#endif
static int check(void)
{
    for (int i = 0; i < N; i += 7)
        for (int j = 0; j < COLUMNS; ++j) {
            float sum = 0;
            for (int k = start[i]; k < start[i + 1]; ++k)
                sum += value[k] * dense[column[k] * COLUMNS + j];
            if (sum != result[i * COLUMNS + j])
                return 0;
        }
    return 1;
}
#include "driver.h"
