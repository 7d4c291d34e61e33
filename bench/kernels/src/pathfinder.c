/* cheapest path through a grid, row by row */
#include "bench.h"
#define COLUMNS (1 << 20)
#define ROWS 64
static const double bytes = 12.0 * COLUMNS * (ROWS - 1);
static int *wall, *source, *result;

static void setup(void)
{
    wall = NEW(int, (size_t)COLUMNS * ROWS), source = NEW(int, COLUMNS), result = NEW(int, COLUMNS);
    for (size_t i = 0; i < (size_t)COLUMNS * ROWS; ++i)
        wall[i] = (int)(i * 7919 % 10);
}
#ifndef __CUDACC__
static void pathfinder(int columns, int rows, const int *wall, int *source, int *result)
{
#pragma omp target teams distribute parallel for map(to: wall[0:columns * rows]) map(tofrom: source[0:columns])
    for (int n = 0; n < columns; ++n)
        source[n] = wall[n];
    for (int t = 0; t < rows - 1; ++t) {
#pragma omp target teams distribute parallel for map(to: wall[0:columns * rows], source[0:columns]) map(from: result[0:columns])
        for (int n = 0; n < columns; ++n) {
            int least = source[n];
            if (n > 0)
                least = source[n - 1] < least ? source[n - 1] : least;
            if (n < columns - 1)
                least = source[n + 1] < least ? source[n + 1] : least;
            result[n] = wall[(t + 1) * columns + n] + least;
        }
        int *swap = source;
        source = result;
        result = swap;
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: wall[0:COLUMNS * ROWS]) map(alloc: source[0:COLUMNS], result[0:COLUMNS])
}
static void step(void) { pathfinder(COLUMNS, ROWS, wall, source, result); }
static void end(void)
{
#pragma omp target exit data map(from: result[0:COLUMNS]) map(delete: wall[0:COLUMNS * ROWS], source[0:COLUMNS])
}
#else
static int *dwall, *dsource, *dresult;
__global__ void copy(int n, const int *__restrict__ from, int *__restrict__ to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}
__global__ void advance(int columns, int t, const int *__restrict__ wall, const int *__restrict__ source, int *__restrict__ result)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= columns)
        return;
    int least = source[n];
    if (n > 0)
        least = min(least, source[n - 1]);
    if (n < columns - 1)
        least = min(least, source[n + 1]);
    result[n] = wall[(t + 1) * columns + n] + least;
}
static void begin(void)
{
    dwall = device_copy(wall, (size_t)COLUMNS * ROWS), dsource = device_new<int>(COLUMNS), dresult = device_new<int>(COLUMNS);
}
static void step(void)
{
    int *from = dsource, *to = dresult;
    copy<<<blocks_for(COLUMNS, 256), 256>>>(COLUMNS, dwall, from);
    for (int t = 0; t < ROWS - 1; ++t) {
        advance<<<blocks_for(COLUMNS, 256), 256>>>(COLUMNS, t, dwall, from, to);
        int *swap = from;
        from = to;
        to = swap;
    }
    device_wait();
}
static void end(void) { from_device(result, dresult, COLUMNS); }
#endif
static int check(void)
{
    int *from = NEW(int, COLUMNS), *to = NEW(int, COLUMNS);
    memcpy(from, wall, COLUMNS * sizeof *from);
    for (int t = 0; t < ROWS - 1; ++t) {
        for (int n = 0; n < COLUMNS; ++n) {
            int least = from[n];
            if (n > 0 && from[n - 1] < least)
                least = from[n - 1];
            if (n < COLUMNS - 1 && from[n + 1] < least)
                least = from[n + 1];
            to[n] = wall[(size_t)(t + 1) * COLUMNS + n] + least;
        }
        int *swap = from;
        from = to;
        to = swap;
    }
    return memcmp(from, result, COLUMNS * sizeof *from) == 0;
}
#include "driver.h"
