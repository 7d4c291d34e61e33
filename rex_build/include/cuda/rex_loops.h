/* Loops whose iterations the threads of a grid share. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = (first);                                                                                            \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += (step)
/* The same loop, whose iterations are counted first. REX_SIDE_BY_SIDE in front of it has nvcc unroll it without a test
 * between the iterations, and load for all of them at once. */
#define REX_SIDE_BY_SIDE(many) REX_PRAGMA(unroll many)
#define REX_UNROLL REX_PRAGMA(unroll) /* in front of a loop with a constant number of iterations */
#define REX_PRAGMA(text) _Pragma(#text)
#define REX_BATCHED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = (first), rex_left_##iv = rex_strides(iv, step, trip);                                               \
    rex_left_##iv > 0;                                                                                                 \
    --rex_left_##iv, iv += (step)
/* How many of the numbers `first`, `first + step`, ... are less than `trip`. */
REX_FN long long rex_strides(long long first, long long step, long long trip)
{
    if (first >= trip)
        return 0;
    if (trip <= 0xffffffffll && step <= 0xffffffffll)
        return static_cast<unsigned int>(trip - 1 - first) / static_cast<unsigned int>(step) + 1;
    return (trip - 1 - first) / step + 1;
}
REX_FN unsigned int rex_strides_32(unsigned int first, unsigned int step, unsigned int trip)
{
    return first < trip ? (trip - 1 - first) / step + 1 : 0;
}
/* The loops of kernels whose grid has a thread for every iteration. */
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    int iv = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);                                                  \
    iv < (trip);                                                                                                       \
    iv = (trip)
#define REX_COVERED_LOOP_64(iv, trip)                                                                                  \
    long long iv = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;                                      \
    iv < (trip);                                                                                                       \
    iv = (trip)
/* What holds where it stands. */
#define REX_ASSUME(condition) __builtin_assume(condition)
#define REX_IS_ALIGNED(place, bytes) ((reinterpret_cast<size_t>(place) & ((bytes) - 1)) == 0)
/* nvcc does not apply an assumption about an address to what is read from there in functions and inner loops, but it does if
 * the pointer comes from this builtin. */
template <int Bytes, class T>
REX_FN void rex_assume_aligned(T *&place)
{
    __builtin_assume(REX_IS_ALIGNED(place, Bytes));
    place = static_cast<T *>(__builtin_assume_aligned(place, Bytes));
}
template <int Bytes, class T>
REX_FN void rex_assume_aligned(const T &place)
{
    __builtin_assume(REX_IS_ALIGNED(place, Bytes));
}
#define REX_ASSUME_ALIGNED(place, bytes) rex_assume_aligned<bytes>(place)

/* A grid over a space of rows x columns. rex_host_launch.h explains the code `tiling`. */
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    int row = rex_place_in_tiles(columns, tiling).y;                                                                   \
    row < (rows);                                                                                                      \
    row = (rows)
/* The same for a grid that may have fewer rows of tiles than the space: then threads run every such row, side by side. */
#define REX_TILE_BATCHES(row, rows, columns, tiling)                                                                   \
    int row = rex_place_in_tiles(columns, tiling).y,                                                                   \
        rex_step_##row = (tiling) >> 63 ? static_cast<int>(gridDim.y * blockDim.y) : 0,                                \
        rex_left_##row = rex_tile_share(row, rex_step_##row, rows, columns, tiling);                                   \
    rex_left_##row > 0;                                                                                                \
    --rex_left_##row, row += rex_step_##row
#define REX_BATCH_COLUMN(column, row, rows, columns, tiling)                                                           \
    int column = rex_place_in_tiles(columns, tiling).x, rex_once_##column = 1;                                         \
    rex_once_##column;                                                                                                 \
    rex_once_##column = 0
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    int column = rex_place_in_tiles(columns, tiling).x;                                                                \
    column < (columns);                                                                                                \
    column = (columns)

struct rex_tile_place {
    int y, x;
};

/* The place of the calling thread. This has no branch: for tiles, the first computation gives the result. */
REX_FN rex_tile_place rex_place_in_tiles(int columns, unsigned long long tiling)
{
    const int shift = static_cast<int>(tiling >> 32); /* its sign is REX_IN_TILES */
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (shift >= 0) {
        row = (__umulhi(column, static_cast<unsigned int>(tiling)) + column) >> shift;
        column -= row * static_cast<unsigned int>(columns);
    }
    return {static_cast<int>(row), static_cast<int>(column)};
}

/* The number of the calling thread in a grid of two dimensions, and how many threads that has. */
REX_FN long long rex_thread_of_tiles()
{
    const unsigned int block = blockIdx.y * gridDim.x + blockIdx.x, thread = threadIdx.y * blockDim.x + threadIdx.x;
    return static_cast<long long>(block) * (blockDim.x * blockDim.y) + thread;
}
REX_FN long long rex_threads_of_tiles()
{
    return static_cast<long long>(gridDim.x * gridDim.y) * (blockDim.x * blockDim.y);
}

/* The same for a kernel whose threads add something up: each runs several iterations, in tiles those below its first one,
 * else those that lie as many apart as the grid has threads. */
#define REX_SUM_ROWS(row, rows, columns, tiling)                                                                       \
    rex_sum_place rex_at_##row = rex_first_of_sum(rows, columns, tiling);                                              \
    rex_at_##row.y < (rows);                                                                                           \
    rex_next_of_sum(rex_at_##row, columns, tiling)
#define REX_SUM_COLUMN(column, row, rows, columns, tiling)                                                             \
    int row = static_cast<int>(rex_at_##row.y), column = static_cast<int>(rex_at_##row.x), rex_once_##row = 1;         \
    rex_once_##row;                                                                                                    \
    rex_once_##row = 0

struct rex_sum_place {
    unsigned int y, x, number, step;
};

REX_FN rex_sum_place rex_first_of_sum(unsigned int rows, int columns, unsigned long long tiling)
{
    const rex_tile_place first = rex_place_in_tiles(columns, tiling);
    const unsigned int number = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int step = tiling >> 63 ? gridDim.y * blockDim.y : gridDim.x * blockDim.x;
    return {first.x < columns ? first.y : rows, static_cast<unsigned int>(first.x), number, step};
}

REX_FN void rex_next_of_sum(rex_sum_place &at, int columns, unsigned long long tiling)
{
    if (tiling >> 63) {
        at.y += at.step;
        return;
    }
    at.number += at.step;
    at.y = (__umulhi(at.number, static_cast<unsigned int>(tiling)) + at.number) >> static_cast<int>(tiling >> 32);
    at.x = at.number - at.y * static_cast<unsigned int>(columns);
}

/* How many rows the calling thread runs, the first of which is `row`. */
REX_FN int rex_tile_share(int row, int step, int rows, int columns, unsigned long long tiling)
{
    if (row >= rows || rex_place_in_tiles(columns, tiling).x >= columns)
        return 0;
    return step == 0 ? 1 : (rows - 1 - row) / step + 1;
}

/* Put in front of such a loop if a thread runs about one iteration. Unrolling would only make it longer. */
#define REX_ONE_ITERATION _Pragma("unroll 1")

/* For rex_own_arrays.h. Blocks that are tiles have two dimensions. */
#define REX_OWN_SHARED __shared__
#define REX_OWN_THREADS(threads) threads
REX_FN unsigned int rex_own_thread()
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}
