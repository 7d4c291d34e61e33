/* rex-build's device library, which generated kernels use. Its parts are the headers that it includes.
 *
 * It is compiled as part of each rex_lib_<stem>.cu, by nvcc (sm_70 or newer, because the lanes of a warp must make progress
 * independently) or, for the cpu device, by g++ with -DREX_DEVICE_CPU. A kernel pays only for what it uses. For example,
 * only kernels that use the team state below have static shared memory.
 *
 * A kernel begins in one of the following ways. `call` is a call of the kernel with its own arguments, `shape` is
 * blocks << 32 | threads, and the REX_CPU_ line is empty on CUDA:
 *
 *   worksharing  REX_CPU_GRID(call);                 or, where the launch shape must be kept on the cpu device,
 *                REX_CPU_GRID_EXACT(shape, call);    (REX_CPU_TEAM(call) for regions of one team)
 *                REX_KERNEL_LEVEL(level);            1: the block is a team inside its parallel region,
 *                                                    0: every device thread is a team of its own.
 *                                                    omp_* queries in the kernel's own text become constants and
 *                                                    special registers; needed only where there are any.
 *                rex_kernel_state(level);            the same for functions that the kernel calls, and for
 *                                                    omp_{get_max,set_num}_threads, omp_{get,set}_schedule and
 *                                                    omp_{get,set}_max_active_levels
 *                                                    anywhere: needed only where there are any.
 *   generic      REX_CPU_TEAMS(shape, call);
 *                if (!rex_team_begin()) return;      from here on: the initial thread of each team
 *                ... rex_parallel(num_threads, REX_REGION { ... }); ...
 *                rex_team_end();                     on every way out
 *   spmd         REX_CPU_TEAMS(shape, call);
 *                rex_parallel_spmd(num_threads, REX_REGION { ... });
 *
 * num_threads 0 means as many as there are. A region's body is a closure. On CUDA every thread has its own copy of the
 * captured variables, so variables that the region's threads share are declared REX_TEAM_SHARED. On the cpu device the
 * closure captures by reference, so variables that are private to its threads are declared inside of it.
 *
 * In a region: rex_barrier, rex_single, rex_master, rex_broadcast, rex_reduce_team*. Anywhere: REX_STRIDED_LOOP,
 * XOMP_static_sched_*, REX_CRITICAL, REX_COMBINING, rex_atomic_*, rex_ordered_*, rex_reduce_task, rex_fence, rex_error,
 * omp_*. At the end of a worksharing kernel: rex_reduce_grid*. By the initial threads of a generic kernel: rex_reduce_league.
 */
#ifndef XOMP_CUDA_LIB_INLINED_CU
#define XOMP_CUDA_LIB_INLINED_CU

/* A kernel is only a part of the user's function. Variables that only the other part uses would be reported as unused. */
#ifdef __CUDACC__
#pragma nv_diag_suppress 68, 69, 177, 550, 815, 1160, 20012
/* nvcc only warns where a device function calls a function of the host, and what it makes of the call does nothing. */
#pragma nv_diag_error 20011, 20013, 20014, 20015
#else
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
/* The host compiler warns of this in the user's text. The code here reads and writes bytes. */
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wpacked-not-aligned"
#endif
/* The compiler would warn of const variables, whose values are constants in C++ but not in C. */
#pragma GCC diagnostic ignored "-Woverflow"
#endif

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS /* as in cpu/rex_device.h */
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

/* cpu/ and cuda/ have headers of the same names with the same interface. */
#ifdef REX_DEVICE_CPU
#include "cpu/rex_device.h"
#else
#include "cuda/rex_device.h"
#endif

/* ---- OpenMP types (values and sizes of GCC's omp.h, which host code was compiled with) ------------------------- */

enum omp_sched_t : unsigned int {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = 0x80000000u
};

enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
};

enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8
};

enum omp_allocator_handle_t : uintptr_t {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8
};

enum omp_memspace_handle_t : uintptr_t {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4
};

typedef int omp_alloctrait_key_t; /* these are enumerations in C; device text initialises them with numbers */
typedef uintptr_t omp_alloctrait_value_t;
constexpr omp_alloctrait_key_t omp_atk_alignment = 2, omp_atk_pool_size = 4, omp_atk_fallback = 5;
constexpr uintptr_t omp_atv_default = (uintptr_t)-1, omp_atv_null_fb = 12, omp_atv_abort_fb = 13;

struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    uintptr_t value;
};

struct omp_depend_t {
    void *object[2];
};

struct omp_lock_t {
    unsigned int held;
};

struct omp_nest_lock_t {
    unsigned int held;
    int depth;
    unsigned long long owner;
};

static_assert(sizeof(omp_lock_t) == 4 && sizeof(omp_nest_lock_t) == 16, "as GCC's omp.h has them");

/* A product that is rounded before it is used, and x *= v with such a product. */
template <class T>
REX_FN T rex_product(T x, T y)
{
    if constexpr (sizeof(T) == 4)
        return __fmul_rn(x, y);
    else
        return __dmul_rn(x, y);
}
template <class T, class V>
REX_FN auto rex_multiply(T &x, V v)
{
    using Common = decltype(x * v);
    const auto next = static_cast<rex_remove_cv<T>>(rex_product<Common>(x, v));
    x = next;
    return next;
}
#ifdef REX_ROUNDED_PRODUCTS
#define REX_PRODUCT(x, y) rex_product(x, y)
#else
#define REX_PRODUCT(x, y) ((x) * (y))
#endif

#include "rex_narrow.h"
#include "rex_complex.h"
#include "rex_vector.h"
#include "rex_builtins.h"
#include "rex_operators.h"
#include "rex_atomics.h"
#ifdef REX_DEVICE_CPU
#include "cpu/rex_loops.h"
#include "cpu/rex_teams.h"
#else
#include "cuda/rex_loops.h"
#include "cuda/rex_teams.h"
#endif
#include "rex_queries.h"

/* ---- calls by address -------------------------------------------------------------------------------------------- */

/* The device function for an address, which may be the host's address of one of `count` indirect functions. */
template <class F>
REX_FN F rex_translated(F f, void *const *host, void *const *device, int count)
{
    for (int i = 0; i < count; ++i)
        if (reinterpret_cast<void *>(f) == host[i])
            return reinterpret_cast<F>(device[i]);
    return rex_own_function(f);
}

#ifdef REX_SEPARABLE
#define REX_FUNCTION(f) rex_translated(f, rex_team.host_functions, rex_team.functions, rex_team.function_count)

/* Called at the beginning of kernels that call other units. Host addresses of functions then mean the same there as in the
 * kernel's unit. */
REX_FN void rex_bring_functions(void *const *host, void *const *device, int count)
{
    rex_team.host_functions = host;
    rex_team.functions = device;
    rex_team.function_count = count;
}
#else
#define REX_FUNCTION(f) rex_own_function(f)
#endif

#include "rex_locks.h"
#include "rex_loops.h"
#include "rex_groups.h"
#include "rex_stdarg.h"
#include "rex_objects.h"
#include "rex_own_arrays.h"
#ifdef REX_DEVICE_CPU
#include "cpu/rex_complex_functions.h"
#include "cpu/rex_rows.h"
#include "cpu/rex_block.h"
#include "cpu/rex_reductions.h"
#include "cpu/rex_libc.h"
#else
#include "cuda/rex_complex_functions.h"
#include "cuda/rex_rows.h"
#include "cuda/rex_block.h"
#include "cuda/rex_reductions.h"
#include "cuda/rex_libc.h"
#endif
#include "rex_complex_functions.h"
#ifdef REX_DEVICE_CHECK
#include "rex_claims.h"
#endif

/* An empty kernel with one mapped object, for its launch only. On the cpu device all threads run it. */
#define REX_READY_KERNEL(name)                                                                                         \
    extern "C" __global__ void __launch_bounds__(32) name(void *__rex_kernel_launch_env, void *there)                  \
    {                                                                                                                  \
        REX_CPU_GRID(name(__rex_kernel_launch_env, there));                                                            \
        if (gridDim.y * blockDim.y == 4)                                                                               \
            *static_cast<int *>(there) = 1;                                                                            \
    }

#endif
