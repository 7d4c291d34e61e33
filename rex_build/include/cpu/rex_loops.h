/* Loops whose iterations the threads of a grid share. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

static inline long long rex_cpu_id() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
static inline long long rex_cpu_ids() { return static_cast<long long>(gridDim.x) * blockDim.x; }
#ifdef REX_DEVICE_CHECK
/* Whether a loop whose iterations so many threads share belongs to all teams of a grid. */
static inline bool rex_check_over_teams(long long sharers) { return rex_check_many_teams && sharers == rex_cpu_ids(); }
#endif

/* A kernel's loop for aligned arrays is the only one: g++ has nothing of it. */
#define REX_IS_ALIGNED(place, bytes) true
#define REX_ASSUME_ALIGNED(place, bytes) ((void)0)

/* What holds where it stands. Tests have it checked. */
#ifdef REX_CHECK_ASSUMED
#define REX_ASSUME(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define REX_ASSUME(condition) ((void)0)
#endif

/* Each thread takes a contiguous part, because strides of the thread count would keep g++ from vectorising the loop. With
 * REX_CPU_BACKWARDS, which is for tests, a thread begins with its last iteration, or takes them in the order of the environment
 * variable REX_CPU_ORDER: `first`, or `interleaved`, which is every second one first. Then results show that iterations which
 * the device may run in any order depend on each other. */
#ifdef REX_CPU_BACKWARDS
static const char rex_cpu_order = rex_host_getenv("REX_CPU_ORDER") ? *rex_host_getenv("REX_CPU_ORDER") : 'l';
/* The iteration that runs as number `nth`, where both are counted from `begin`. */
template <class T>
static inline T rex_cpu_in_order(T nth, T begin, T end)
{
    const T half = end - (end - begin) / 2, odd = begin + 2 * (nth - half) + 1;
    return rex_cpu_order == 'f' ? nth : rex_cpu_order == 'l' ? begin + (end - 1 - nth) : nth < half ? begin + 2 * (nth - begin) : odd;
}
#define REX_CPU_IN_ORDER(kind, iv, begin, end)                                                                         \
    kind rex_begin_##iv = begin, rex_end_##iv = end, rex_nth_##iv = rex_begin_##iv,                                    \
         iv = rex_cpu_in_order(rex_nth_##iv, rex_begin_##iv, rex_end_##iv);                                            \
    rex_nth_##iv < rex_end_##iv;                                                                                       \
    iv = rex_cpu_in_order(++rex_nth_##iv, rex_begin_##iv, rex_end_##iv)
#else
#define REX_CPU_IN_ORDER(kind, iv, begin, end)                                                                         \
    kind iv = begin, rex_end_##iv = end;                                                                               \
    iv < rex_end_##iv;                                                                                                 \
    ++iv
#endif
#ifdef REX_DEVICE_CHECK
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long rex_asked_##iv = rex_check_asked(), iv = rex_cpu_part(first, step, trip),                                \
              rex_end_##iv = rex_cpu_part((first) + 1, step, trip),                                                    \
              rex_shared_##iv = rex_check_begin_loop(rex_asked_##iv, (step) > 1, rex_check_over_teams(step));          \
    rex_check_turn(iv < rex_end_##iv, rex_shared_##iv ? iv : -1);                                                      \
    ++iv
#else
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    REX_CPU_IN_ORDER(long long, iv, rex_cpu_part(first, step, trip), rex_cpu_part((first) + 1, step, trip))
#endif
#define REX_ONE_ITERATION

REX_FN long long rex_thread_of_tiles() { return rex_cpu_id(); }
REX_FN long long rex_threads_of_tiles() { return rex_cpu_ids(); }

#define REX_TILE_BATCHES REX_TILE_ROWS
#define REX_BATCH_COLUMN REX_TILE_COLUMNS
#define REX_SUM_ROWS REX_TILE_ROWS
#define REX_SUM_COLUMN REX_TILE_COLUMNS

/* The same for kernels whose grid covers the trip count, and for tiles. Each thread takes a part, row by row. */
#define REX_COVERED_LOOP_64(iv, trip) REX_STRIDED_LOOP(iv, rex_cpu_id(), rex_cpu_ids(), trip)
#ifdef REX_DEVICE_CHECK
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    int rex_asked_##iv = rex_check_asked(), iv = static_cast<int>(rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), trip)),    \
        rex_end_##iv = static_cast<int>(rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), trip)),                          \
        rex_shared_##iv = rex_check_begin_loop(rex_asked_##iv, rex_cpu_ids() > 1, rex_check_over_teams(rex_cpu_ids()));\
    rex_check_turn(iv < rex_end_##iv, rex_shared_##iv ? iv : -1);                                                      \
    ++iv
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    long long rex_first_##row = rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), (long long)(rows) * (columns)),              \
              rex_end_##row = rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), (long long)(rows) * (columns)),            \
              rex_shared_##row = rex_check_begin_loop(rex_check_asked(), rex_cpu_ids() > 1,                            \
                                                       rex_check_over_teams(rex_cpu_ids())),                           \
              row = rex_first_##row / ((columns) > 0 ? (columns) : 1);                                                 \
    row * (columns) < rex_end_##row;                                                                                   \
    ++row
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    long long column = rex_first_##row > row * (columns) ? rex_first_##row - row * (columns) : 0,                      \
              rex_end_##column = rex_end_##row - row * (columns) < (columns) ? rex_end_##row - row * (columns)         \
                                                                             : (columns);                              \
    rex_check_turn(column < rex_end_##column, rex_shared_##row ? row * (columns) + column : -1);                       \
    ++column
#else
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    REX_CPU_IN_ORDER(int, iv, static_cast<int>(rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), trip)),                       \
                     static_cast<int>(rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), trip)))
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    long long rex_first_##row = rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), (long long)(rows) * (columns)),              \
              rex_last_##row = rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), (long long)(rows) * (columns)),           \
              rex_width_##row = (columns) > 0 ? (columns) : 1,                                                         \
              REX_CPU_IN_ORDER(, row, rex_first_##row / rex_width_##row,                                               \
                               (rex_last_##row + rex_width_##row - 1) / rex_width_##row)
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    REX_CPU_IN_ORDER(long long, column, rex_first_##row > row * (columns) ? rex_first_##row - row * (columns) : 0,     \
                     rex_last_##row - row * (columns) < (columns) ? rex_last_##row - row * (columns) : (columns))
#endif

/* For rex_own_arrays.h. */
#define REX_OWN_SHARED
#define REX_OWN_THREADS(threads) 1
REX_FN unsigned int rex_own_thread()
{
    return 0;
}
