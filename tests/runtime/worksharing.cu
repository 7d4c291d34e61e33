#include "xomp_cuda_lib_inlined.cu"

#include "types.h"

#define DEVICE_THREAD                                                                                                  \
    const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;                                               \
    const long long _dev_thread_id = (long long)blockIdx.x * blockDim.x + threadIdx.x

/* ---- reductions: each type over all its operators ---------------------------------------------------------------- */

#define REDUCE(T, place, Op)                                                                                           \
    {                                                                                                                  \
        T partial = rex_identity<Op, T>();                                                                             \
        for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n)) {                                                \
            partial = static_cast<T>(Op::apply(partial, in[i]));                                                       \
        }                                                                                                              \
        rex_reduce_grid<Op>(&out[place], partial);                                                                     \
    }

#define REDUCE_REAL(T)                                                                                                 \
    REDUCE(T, ADD, rex_add)                                                                                            \
    REDUCE(T, MUL, rex_mul)                                                                                            \
    REDUCE(T, MIN, rex_min)                                                                                            \
    REDUCE(T, MAX, rex_max)                                                                                            \
    REDUCE(T, LAND, rex_land)                                                                                          \
    REDUCE(T, LOR, rex_lor)

#define REDUCE_INTEGER(T)                                                                                              \
    REDUCE_REAL(T)                                                                                                     \
    REDUCE(T, BAND, rex_band)                                                                                          \
    REDUCE(T, BOR, rex_bor)                                                                                            \
    REDUCE(T, BXOR, rex_bxor)

#define REDUCTION_KERNEL(kernel, T, reduce)                                                                            \
    extern "C" __global__ void __launch_bounds__(1024)                                                                 \
        kernel(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long n, const T *in, T *out)     \
    {                                                                                                                  \
        REX_CPU_GRID_EXACT(shape, kernel(__rex_kernel_launch_env, shape, n, in, out));                                 \
        DEVICE_THREAD;                                                                                                 \
        reduce(T)                                                                                                      \
    }
#define INTEGER_KERNEL(kernel, T) REDUCTION_KERNEL(kernel, T, REDUCE_INTEGER)
#define REAL_KERNEL(kernel, T) REDUCTION_KERNEL(kernel, T, REDUCE_REAL)

INTEGER_TYPES(INTEGER_KERNEL, reduce_)
REAL_TYPES(REAL_KERNEL, reduce_)

/* ---- iteration spaces -------------------------------------------------------------------------------------------- */

extern "C" __global__ void __launch_bounds__(256)
    cover(void *__rex_kernel_launch_env, unsigned long long n, int *visits)
{
    REX_CPU_GRID(cover(__rex_kernel_launch_env, n, visits));
    DEVICE_THREAD;
    for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n)) {
        ++visits[i];
    }
}

extern "C" __global__ void __launch_bounds__(256)
    deal(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long n, unsigned long long chunk,
         int *owner)
{
    REX_CPU_GRID_EXACT(shape, deal(__rex_kernel_launch_env, shape, n, chunk, owner));
    DEVICE_THREAD;
    long long _dev_lower, _dev_upper;
    rex_static_schedule schedule;
    XOMP_static_sched_init(&schedule, static_cast<long long>(n), static_cast<long long>(chunk), _dev_thread_num,
                           _dev_thread_id);
    while (XOMP_static_sched_next(&schedule, &_dev_lower, &_dev_upper))
        for (long long i = _dev_lower; i <= _dev_upper; ++i)
            owner[i] += 1 + static_cast<int>(_dev_thread_id);
}

/* The chunks of one of `num` threads in a loop near the end of the number range: bounds[0..1], [2..3], ... */
extern "C" __global__ void __launch_bounds__(32)
    far_chunks(void *__rex_kernel_launch_env, unsigned long long shape, unsigned long long trip,
               unsigned long long chunk, unsigned long long num, unsigned long long id, long long *bounds)
{
    REX_CPU_GRID_EXACT(shape, far_chunks(__rex_kernel_launch_env, shape, trip, chunk, num, id, bounds));
    rex_static_schedule schedule;
    XOMP_static_sched_init(&schedule, static_cast<long long>(trip), static_cast<long long>(chunk),
                           static_cast<long long>(num), static_cast<long long>(id));
    for (int i = 0; i < 8 && XOMP_static_sched_next(&schedule, &bounds[i], &bounds[i + 1]); i += 2) {
    }
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

#define QUERY(record)                                                                                                  \
    {                                                                                                                  \
        const int values[] = {omp_get_team_num(),                                                                      \
                              omp_get_num_teams(),                                                                     \
                              omp_get_thread_num(),                                                                    \
                              omp_get_num_threads(),                                                                   \
                              omp_get_thread_limit(),                                                                  \
                              omp_get_level(),                                                                         \
                              omp_get_active_level(),                                                                  \
                              omp_in_parallel(),                                                                       \
                              omp_get_ancestor_thread_num(0),                                                          \
                              omp_get_ancestor_thread_num(1),                                                          \
                              omp_get_ancestor_thread_num(2),                                                          \
                              omp_get_team_size(0),                                                                    \
                              omp_get_team_size(1),                                                                    \
                              omp_get_team_size(2)};                                                                   \
        memcpy(record, values, sizeof values);                                                                         \
    }

static __device__ void query_in_function(int *record)
{
    QUERY(record);
}

static __device__ void region_in_function(int *record)
{
    rex_parallel(0, REX_REGION {
        rex_barrier();
        if (rex_single())
            QUERY(record);
    });
}

#define QUERY_KERNEL(level)                                                                                            \
    extern "C" __global__ void __launch_bounds__(256)                                                                  \
        queries_##level(void *__rex_kernel_launch_env, unsigned long long shape, int *own, int *called, int *nested,   \
                        int *max_threads)                                                                              \
    {                                                                                                                  \
        REX_CPU_GRID_EXACT(shape, queries_##level(__rex_kernel_launch_env, shape, own, called, nested, max_threads));  \
        REX_KERNEL_LEVEL(level);                                                                                       \
        rex_kernel_state(level);                                                                                       \
        DEVICE_THREAD;                                                                                                 \
        for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, _dev_thread_num)) {                                  \
            QUERY(own + 14 * i);                                                                                       \
            query_in_function(called + 14 * i);                                                                        \
            region_in_function(nested + 14 * i);                                                                       \
            max_threads[i] = omp_get_max_threads();                                                                    \
        }                                                                                                              \
    }

QUERY_KERNEL(0)
QUERY_KERNEL(1)

/* Costs registers and nothing else: see test_device_library.py. */
extern "C" __global__ void __launch_bounds__(256)
    free_of_state(void *__rex_kernel_launch_env, unsigned long long n, int *sum)
{
    REX_CPU_GRID(free_of_state(__rex_kernel_launch_env, n, sum));
    REX_KERNEL_LEVEL(1);
    DEVICE_THREAD;
    for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n)) {
        rex_atomic_update<rex_add>(sum, omp_get_thread_num() < omp_get_num_threads() ? omp_get_level() : 0);
    }
}

/* What only the host knows, and the constants. */
extern "C" __global__ void __launch_bounds__(32)
    facts(void *__rex_kernel_launch_env, unsigned long long shape, int *values)
{
    REX_CPU_GRID_EXACT(shape, facts(__rex_kernel_launch_env, shape, values));
    rex_set_device_facts(3, 2, 4096);
    values[0] = omp_get_num_devices();
    values[1] = omp_get_device_num();
    values[2] = omp_get_num_procs();
    values[3] = omp_is_initial_device();
    values[4] = omp_get_initial_device();
    values[5] = omp_get_supported_active_levels();
    values[6] = omp_in_final();
    const double start = omp_get_wtime();
    while (omp_get_wtime() <= start) {
    }
    values[7] = omp_get_wtick() > 0 && omp_get_wtime() - start < 10;
    omp_allocator_handle_t allocator = omp_default_mem_alloc;
    int *memory = static_cast<int *>(omp_alloc(sizeof *memory, allocator));
    *memory = 11;
    values[8] = *memory;
    omp_free(memory, allocator);
}

/* ---- mutual exclusion -------------------------------------------------------------------------------------------- */

REX_DEFINE_LOCK(rex_lock_sums);
REX_DEFINE_LOCK(rex_lock_inner);

/* sums[0], [1]: two critical sections, one inside the other; [2]: a lock; [3]: a lock taken twice. */
extern "C" __global__ void __launch_bounds__(256)
    exclude(void *__rex_kernel_launch_env, unsigned long long n, long long *sums, omp_lock_t *lock,
            omp_nest_lock_t *nest_lock)
{
    REX_CPU_GRID(exclude(__rex_kernel_launch_env, n, sums, lock, nest_lock));
    DEVICE_THREAD;
    for (REX_STRIDED_LOOP(i, _dev_thread_id, _dev_thread_num, n)) {
        if (i % 3 != 1)
            REX_CRITICAL(rex_lock_sums)
            {
                sums[0] += i;
                REX_CRITICAL(rex_lock_inner)
                {
                    sums[1] += 1;
                }
            }
        else
            REX_CRITICAL(rex_lock_inner)
            {
                sums[1] += 1;
            }
        omp_set_lock(lock);
        sums[2] += i;
        omp_unset_lock(lock);
        omp_set_nest_lock(nest_lock);
        if (omp_test_nest_lock(nest_lock) == 2) {
            sums[3] += 1;
            omp_unset_nest_lock(nest_lock);
        }
        omp_unset_nest_lock(nest_lock);
    }
}
