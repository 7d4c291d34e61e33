/* The shapes of launches: blocks and threads for a loop, and grids over two loops. Included by rex_kmp.h. */
#ifndef REX_HOST_LAUNCH_H
#define REX_HOST_LAUNCH_H

static __inline__ int rex_smaller(int a, int b)
{
    return a < b ? a : b;
}

static __inline__ int rex_larger(int a, int b)
{
    return a > b ? a : b;
}

/* Threads per block for a loop without a clause about them, or under a limit. The number begins at `most`, which it never
 * exceeds, and is halved, down to `least`, while there would be fewer than `blocks` full blocks, and then rounded up to warps.
 * It is at most the number of iterations, rounded up to warps. */
static __inline__ int rex_threads(rex_int64 trip_count, int most, int least, int blocks)
{
    int threads = most;
    rex_int64 covered;
    for (covered = (rex_int64)blocks * most; threads > least && trip_count < covered; covered >>= 1)
        threads >>= 1;
    if (threads > 32 && (trip_count < threads || threads % 32 != 0)) {
        const rex_int64 few = trip_count < threads ? trip_count : threads;
        threads = few <= 0 ? 32 : rex_smaller((int)((few + 31) / 32 * 32), most);
    }
    return threads;
}

/* The number of blocks that cover a loop once, from 1 to `most`. */
static __inline__ int rex_blocks(rex_int64 trip_count, int threads, int most)
{
    const rex_int64 blocks = (trip_count - 1) / threads + 1;
    return trip_count <= 0 ? 1 : blocks < most ? (int)blocks : most;
}

/* Whether a grid has a thread for each of `trip` iterations, and each thread's number fits into an int. */
static __inline__ int rex_covers(int blocks, int threads, rex_int64 trip)
{
    const rex_int64 grid = (rex_int64)blocks * threads;
    return trip <= grid && grid <= 0x7fffffff;
}

/* Whether the runtime launches grids and blocks of two dimensions, as LLVM 22 does. rex_offload_init() tries it. */
extern int rex_two_dimensional;
__attribute__((weak)) int rex_two_dimensional;

#define REX_GRID_Y_MOST 65535 /* CUDA's limit */
#define REX_IN_TILES ((rex_uint64)1 << 63)

/* The second dimension of a launch, or 0 if it has only one. */
struct rex_second_dimension {
    rex_uint32 rex_blocks, rex_threads;
};

/* The code of a grid that goes row by row: the factor (low 32 bits) and the shift that divide by the columns (Granlund and
 * Montgomery 1994, for dividends below 2^31). */
static __inline__ rex_uint64 rex_row_by_row(rex_int64 columns)
{
    unsigned int shift = 0;
    while (((rex_int64)1 << shift) < columns)
        ++shift;
    return (((((rex_uint64)1 << shift) - (rex_uint64)columns) << 32) / (rex_uint64)columns + 1) | (rex_uint64)shift << 32;
}

/* Lays a grid with `*threads` per block over a space of rows x columns. If the runtime can launch two dimensions, blocks
 * are tiles of a `width`: 64 columns, or 32 if that leaves fewer threads idle. Otherwise, and if tiles would leave more
 * than an eighth of the rows or columns idle, the grid goes row by row. Returns false if the space is empty, or if the
 * grid would have 2^31 threads or more than `most` blocks (0: any number). The code is REX_IN_TILES, or that of
 * rex_row_by_row(). */
static __inline__ int rex_tile_of(int width, rex_int64 rows, rex_int64 columns, int most, int *blocks, int *threads,
                                  struct rex_second_dimension *second, rex_uint64 *code)
{
    const rex_int64 limit = 0x7fffffff - *threads;
    const rex_int64 height = *threads / width, across = (columns + width - 1) / width;
    if (rows <= 0 || columns <= 0 || rows > limit || columns > limit || *threads == 1) /* a single thread keeps the order */
        return 0;
    if (rex_two_dimensional && *threads % width == 0 && across * width - columns <= columns / 8) {
        const rex_int64 down = (rows + height - 1) / height;
        if (down * height - rows <= rows / 8 && down <= REX_GRID_Y_MOST && (most <= 0 || across * down <= most)) {
            *blocks = (int)across;
            *threads = width;
            second->rex_blocks = (rex_uint32)down;
            second->rex_threads = (rex_uint32)height;
            *code = REX_IN_TILES;
            return 1;
        }
    }
    if (rows > limit / columns || (most > 0 && (rows * columns + *threads - 1) / *threads > most))
        return 0;
    *blocks = (int)((rows * columns + *threads - 1) / *threads);
    *code = rex_row_by_row(columns);
    return 1;
}

static __inline__ int rex_tile(rex_int64 rows, rex_int64 columns, int most, int *blocks, int *threads,
                               struct rex_second_dimension *second, rex_uint64 *code)
{
    const int idle = (int)(columns % 64 ? 64 - columns % 64 : 0), width = idle >= 32 && idle > columns / 32 ? 32 : 64;
    return rex_tile_of(width, rows, columns, most, blocks, threads, second, code);
}

/* The same where neighbouring elements lie along the columns at one place, along the rows at another: a warp has 4 rows of
 * 8 columns, and uses whole sectors of the cache at both. */
static __inline__ int rex_narrow_tile(rex_int64 rows, rex_int64 columns, int most, int *blocks, int *threads,
                                      struct rex_second_dimension *second, rex_uint64 *code)
{
    return rex_tile_of(8, rows, columns, most, blocks, threads, second, code);
}

/* The same for a kernel whose threads may run rows side by side: there are no more rows of tiles than `resident` threads
 * need. */
static __inline__ int rex_tile_batches(rex_int64 rows, rex_int64 columns, int most, int resident, int *blocks, int *threads,
                                       struct rex_second_dimension *second, rex_uint64 *code)
{
    rex_int64 down;
    if (!rex_tile(rows, columns, most, blocks, threads, second, code))
        return 0;
    if (*code == REX_IN_TILES) {
        down = resident / ((rex_int64)*blocks * *threads * second->rex_threads);
        if (down < second->rex_blocks)
            second->rex_blocks = down > 0 ? (rex_uint32)down : 1;
    }
    return 1;
}

/* The same for a kernel whose threads add something up and run several iterations each: there are no more threads than
 * `resident`, in tiles or row by row. Blocks have whole warps, and never more threads than `*threads`. */
static __inline__ int rex_tile_sums(int narrow, rex_int64 rows, rex_int64 columns, int most, int resident, int *blocks,
                                  int *threads, struct rex_second_dimension *second, rex_uint64 *code)
{
    struct rex_second_dimension found = {0, 0};
    rex_uint64 shape = 0;
    const int whole = *threads / 32 * 32;
    int number = 0, size = whole, down;
    if (whole == 0 || !(narrow ? rex_narrow_tile : rex_tile)(rows, columns, 0, &number, &size, &found, &shape))
        return 0;
    if (shape == REX_IN_TILES && (most <= 0 || number <= most)) {
        down = rex_larger(1, (int)(resident / ((rex_int64)number * size * found.rex_threads)));
        if (most > 0)
            down = rex_smaller(down, most / number);
        found.rex_blocks = (rex_uint32)rex_smaller((int)found.rex_blocks, down);
    } else {
        size = whole;
        number = rex_blocks(rows * columns, size, rex_larger(1, resident / size));
        number = most > 0 ? rex_smaller(number, most) : number;
        if (rows > (0x7fffffff - (rex_int64)number * size) / columns)
            return 0;
        shape = rex_row_by_row(columns);
        found.rex_blocks = found.rex_threads = 0;
    }
    *blocks = number;
    *threads = size;
    *second = found;
    *code = shape;
    return 1;
}

/* Whether a grid over `rows` x `columns` is worth while where only `distributed` of these iterations would have a thread:
 * they are fewer than `enough`, each has at least `least` iterations of the loops inside, and their number fits an int. A
 * launch with one thread per block keeps the order of the iterations. */
static __inline__ int rex_is_collapsible(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough,
                                         rex_int64 least, int threads)
{
    if (threads == 1 || distributed <= 0 || distributed >= enough || rows <= 0 || columns <= 0)
        return 0;
    return rows <= 0x3fffffff / columns && rows * columns / distributed >= least;
}

/* Whether a grid in tiles over the iterations of collapsed loops is worth while, and how many threads a block may have. `most`
 * is the most threads of a block; the next two are rex_threads()'s. */
static __inline__ int rex_collapsed_threads(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough,
                                            rex_int64 least, int most, int least_threads, int spread, int threads)
{
    if (!rex_is_collapsible(rows, columns, distributed, enough, least, threads))
        return 0;
    return most > least_threads ? rex_threads(rows * columns, most, least_threads, spread) : most;
}

/* Lays such a grid (see rex_tile). `teams` is the most blocks (0: any number). */
static __inline__ int rex_collapse_tiles(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough,
                                         rex_int64 least, int teams, int most, int least_threads, int spread, int *blocks,
                                         int *threads, struct rex_second_dimension *second, rex_uint64 *code)
{
    int number = *blocks;
    int size = rex_collapsed_threads(rows, columns, distributed, enough, least, most, least_threads, spread, *threads);
    if (size == 0 || !rex_tile(rows, columns, teams, &number, &size, second, code))
        return 0;
    *blocks = number;
    *threads = size;
    return 1;
}

static __inline__ int rex_collapse_narrow_tiles(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough,
                                                rex_int64 least, int teams, int most, int least_threads, int spread,
                                                int *blocks, int *threads, struct rex_second_dimension *second,
                                                rex_uint64 *code)
{
    int number = *blocks;
    int size = rex_collapsed_threads(rows, columns, distributed, enough, least, most, least_threads, spread, *threads);
    if (size == 0 || !rex_narrow_tile(rows, columns, teams, &number, &size, second, code))
        return 0;
    *blocks = number;
    *threads = size;
    return 1;
}

/* The same for a kernel whose threads add something up (see rex_tile_sums), `resident` at most. */
static __inline__ int rex_collapse_sums(int narrow, rex_int64 rows, rex_int64 columns, rex_int64 distributed,
                                        rex_int64 enough, rex_int64 least, int teams, int most, int least_threads, int spread,
                                        int resident, int *blocks, int *threads, struct rex_second_dimension *second,
                                        rex_uint64 *code)
{
    int number = *blocks;
    int size = rex_collapsed_threads(rows, columns, distributed, enough, least, most, least_threads, spread, *threads);
    if (size == 0 || !rex_tile_sums(narrow, rows, columns, teams, resident, &number, &size, second, code))
        return 0;
    *blocks = number;
    *threads = size;
    return 1;
}

/* The same in one dimension, for a kernel whose threads run several iterations: the grid has at most `resident` threads
 * (0: any number). */
static __inline__ int rex_collapse(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough,
                                   rex_int64 least, int teams, int most, int least_threads, int spread, rex_int64 resident,
                                   int *blocks, int *threads)
{
    int number, size = most;
    if (!rex_is_collapsible(rows, columns, distributed, enough, least, *threads))
        return 0;
    if (size > least_threads)
        size = rex_threads(rows * columns, size, least_threads, spread);
    number = rex_blocks(rows * columns, size, resident > 0 ? (int)(resident / size) : 0x7fffffff);
    *blocks = teams > 0 && teams < number ? teams : number;
    *threads = size;
    return 1;
}

/* The shape for a kernel whose warps move rows together (see rex_rows.h): a block is a warp and runs up to 32 of `distributed`
 * iterations, fewer as long as that takes no more than `resident` threads. */
static __inline__ int rex_grid_of_rows(rex_int64 rows, rex_int64 columns, rex_int64 distributed, rex_int64 enough, rex_int64 least,
                                rex_int64 teams, int resident, int *blocks, int *threads)
{
    const rex_int64 most = teams > 0 && teams < resident / 32 ? teams : resident / 32;
    rex_int64 number = 0;
    int size;
    if (*threads < 32 || rows != distributed || rows <= 0 || rows >= enough || columns < least)
        return 0;
    for (size = 32; size > 0 && (size == 32 || (rows + size - 1) / size <= most); size /= 2)
        number = (rows + size - 1) / size;
    if (teams > 0 && teams < number)
        return 0;
    *blocks = (int)number;
    *threads = 32;
    return 1;
}

#endif
