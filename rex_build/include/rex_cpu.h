/* Defines for the cpu device what xomp_cuda_lib_inlined.cu uses of CUDA.
 *
 * libomptarget's host plugin calls a kernel once, on one thread. The wrappers here run it over the threads of the host
 * OpenMP runtime: a grid of independent device threads (REX_CPU_GRID, REX_CPU_GRID_EXACT) or one team after the other
 * whose parallel regions are host parallel regions (REX_CPU_TEAMS). Included by xomp_cuda_lib_inlined.cu when
 * REX_DEVICE_CPU is defined.
 */
#pragma once

#include "rex_types.h"
#include "rex_check.h"

/* With this, g++ reads <math.h> and <stdlib.h> as in C. Its own versions of them are long: they add what C++ has. */
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

/* <cmath> removes these macros, too, whose names are those of functions. */
#undef fpclassify
#undef isfinite
#undef isinf
#undef isnan
#undef isnormal
#undef signbit
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered

/* Not by <sched.h> and <sys/auxv.h>: their macros are names that programs use. */
extern "C" int rex_yield(void) __asm__("sched_yield");
extern "C" unsigned long rex_auxiliary_value(unsigned long kind) __asm__("getauxval");
#define REX_PROGRAM_HEADERS 3 /* AT_PHDR */

/* State of the device library. Each unit has its own, or all units that device-link joins share one. */
#ifndef REX_STATE
#ifdef REX_SEPARABLE
#define REX_STATE inline
#else
#define REX_STATE static
#endif
#endif

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ inline

struct rex_dim3 {
    unsigned int x, y, z;
};

REX_STATE thread_local rex_dim3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};

/* ---- the C library: the names that it has in device code -------------------------------------------------------- */

/* These functions have another type in C++. */
extern "C" void *rex_c_memchr(const void *, int, size_t) __asm__("memchr");
extern "C" char *rex_c_strchr(const char *, int) __asm__("strchr");
extern "C" char *rex_c_strrchr(const char *, int) __asm__("strrchr");
extern "C" char *rex_c_strstr(const char *, const char *) __asm__("strstr");
extern "C" char *rex_c_strpbrk(const char *, const char *) __asm__("strpbrk");

#define rex_c_puts puts
#define rex_c_putchar putchar
#define rex_c_malloc malloc
#define rex_c_calloc calloc
#define rex_c_realloc realloc
#define rex_c_free free
#define rex_c_aligned_alloc aligned_alloc
#define rex_c_memmove memmove
#define rex_c_memcmp memcmp
#define rex_c_mempcpy mempcpy
#define rex_c_strlen strlen
#define rex_c_strnlen strnlen
#define rex_c_strcmp strcmp
#define rex_c_strncmp strncmp
#define rex_c_strcasecmp strcasecmp
#define rex_c_strncasecmp strncasecmp
#define rex_c_strcpy strcpy
#define rex_c_strncpy strncpy
#define rex_c_stpcpy stpcpy
#define rex_c_strcat strcat
#define rex_c_strncat strncat
#define rex_c_strspn strspn
#define rex_c_strcspn strcspn
#define rex_c_strtok_r strtok_r
#define rex_c_div div
#define rex_c_ldiv ldiv
#define rex_c_lldiv lldiv
#define rex_c_atoi atoi
#define rex_c_atol atol
#define rex_c_atoll atoll
#define rex_c_strtol strtol
#define rex_c_strtoll strtoll
#define rex_c_strtoul strtoul
#define rex_c_strtoull strtoull
#define rex_c_bsearch bsearch
#define rex_c_qsort qsort
#define rex_c_abort abort
#define rex_c_isalnum isalnum
#define rex_c_isalpha isalpha
#define rex_c_isblank isblank
#define rex_c_iscntrl iscntrl
#define rex_c_isdigit isdigit
#define rex_c_isgraph isgraph
#define rex_c_islower islower
#define rex_c_isprint isprint
#define rex_c_ispunct ispunct
#define rex_c_isspace isspace
#define rex_c_isupper isupper
#define rex_c_isxdigit isxdigit
#define rex_c_tolower tolower
#define rex_c_toupper toupper
#define rex_c___ctype_b_loc __ctype_b_loc
#define rex_c___ctype_tolower_loc __ctype_tolower_loc
#define rex_c___ctype_toupper_loc __ctype_toupper_loc
#define rex_c_isinff isinff
#define rex_c_isnanf isnanf
#define rex_c_nexttoward nexttoward
#define rex_c_nexttowardf nexttowardf
#define rex_c_lgamma_r lgamma_r
#define rex_c_lgammaf_r lgammaf_r
#define rex_c_finite finite
#define rex_c_finitef finitef
#define rex_c_drem drem
#define rex_c_dremf dremf
#define rex_c_gamma gamma
#define rex_c_gammaf gammaf
#define rex_c_significand significand
#define rex_c_significandf significandf
#define rex_c_roundeven roundeven
#define rex_c_roundevenf roundevenf
#define rex_c_nextup nextup
#define rex_c_nextupf nextupf
#define rex_c_nextdown nextdown
#define rex_c_nextdownf nextdownf
#define rex_c_llogb llogb
#define rex_c_bcmp bcmp
#define rex_c_bcopy bcopy
#define rex_c_bzero bzero
#define rex_c_stpncpy stpncpy
#define rex_c_strdup strdup
#define rex_c_strndup strndup
#define rex_c_isascii isascii
#define rex_c_toascii toascii
#define rex_c_index rex_c_strchr
#define rex_c_rindex rex_c_strrchr
#define rex_c_imaxabs __builtin_imaxabs
#define rex_c_clrsb __builtin_clrsb
#define rex_c_clrsbl __builtin_clrsbl
#define rex_c_clrsbll __builtin_clrsbll
#define rex_c_bswap128 __builtin_bswap128
#define rex_c_powi __builtin_powi
#define rex_c_powif __builtin_powif
#define rex_c_iceil __builtin_iceil
#define rex_c_iceilf __builtin_iceilf
#define rex_c_ifloor __builtin_ifloor
#define rex_c_ifloorf __builtin_ifloorf
#define rex_c_irint __builtin_irint
#define rex_c_irintf __builtin_irintf
#define rex_c_iround __builtin_iround
#define rex_c_iroundf __builtin_iroundf
#define rex_c_lceil __builtin_lceil
#define rex_c_lceilf __builtin_lceilf
#define rex_c_lfloor __builtin_lfloor
#define rex_c_lfloorf __builtin_lfloorf
#define rex_c_llceil __builtin_llceil
#define rex_c_llceilf __builtin_llceilf
#define rex_c_llfloor __builtin_llfloor
#define rex_c_llfloorf __builtin_llfloorf
#define rex_c_add_overflow_p __builtin_add_overflow_p
#define rex_c_sub_overflow_p __builtin_sub_overflow_p
#define rex_c_mul_overflow_p __builtin_mul_overflow_p
#define rex_c_llogbf llogbf
#define rex_c_jn jn
#define rex_c_jnf jnf
#define rex_c_yn yn
#define rex_c_ynf ynf

/* ---- atomics ------------------------------------------------------------------------------------------------- */

template <class T>
static inline T atomicCAS(T *address, T expected, T desired)
{
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

template <class T>
static inline T atomicExch(T *address, T value)
{
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}

template <class T>
static inline T atomicAnd(T *address, T value)
{
    return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);
}

template <class T>
static inline T atomicOr(T *address, T value)
{
    return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);
}

template <class T>
static inline T atomicXor(T *address, T value)
{
    return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);
}

/* This compares bits, so that a NaN in memory does not make the loop endless. */
template <class T, class Next>
static inline T rex_cpu_fetch_modify(T *address, Next next)
{
    T old, desired;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
        desired = next(old);
    while (!__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}

/* Products that are not fused with sums. g++ fuses others if the processor can and the options allow it. */
template <class T>
static inline T rex_cpu_rounded(T product)
{
#ifdef __FMA__
    __asm__("" : "+x"(product));
#endif
    return product;
}
static inline float __fmul_rn(float x, float y) { return rex_cpu_rounded(x * y); }
static inline double __dmul_rn(double x, double y) { return rex_cpu_rounded(x * y); }

template <class T>
static inline T atomicAdd(T *address, T value)
{
    if constexpr (rex_is_integral<T>)
        return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
    else
        return rex_cpu_fetch_modify(address, [=](T old) { return old + value; });
}

template <class T>
static inline T atomicMin(T *address, T value)
{
    return rex_cpu_fetch_modify(address, [=](T old) { return value < old ? value : old; });
}

template <class T>
static inline T atomicMax(T *address, T value)
{
    return rex_cpu_fetch_modify(address, [=](T old) { return value > old ? value : old; });
}

static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static inline void __nanosleep(unsigned int) { rex_yield(); }

/* ---- the host OpenMP runtime ---------------------------------------------------------------------------------- */

/* These have aliases because the device library defines functions of the same names for device code. */
extern "C" int rex_host_get_thread_num(void) __asm__("omp_get_thread_num");
extern "C" int rex_host_get_num_threads(void) __asm__("omp_get_num_threads");
extern "C" int rex_host_get_max_threads(void) __asm__("omp_get_max_threads");
extern "C" int rex_host_get_num_procs(void) __asm__("omp_get_num_procs");
extern "C" int rex_host_get_max_teams(void) __asm__("omp_get_max_teams");
extern "C" int rex_host_get_active_level(void) __asm__("omp_get_active_level");
extern "C" int rex_host_get_max_active_levels(void) __asm__("omp_get_max_active_levels");
extern "C" void rex_host_set_max_active_levels(int levels) __asm__("omp_set_max_active_levels");

static inline int rex_cpu_threads()
{
    const int threads = rex_host_get_max_threads(), cores = rex_host_get_num_procs(), used = threads < cores ? threads : cores;
#ifdef REX_DEVICE_CHECK
    return used > 4 ? used : 4; /* a few threads show what many do */
#else
    return used;
#endif
}

extern "C" const char *rex_host_getenv(const char *name) __asm__("getenv");
extern "C" int rex_host_atoi(const char *text) __asm__("atoi");

/* The threads of a parallel region in a team that asks for no number: the cores of the host, or what the user sets. */
static inline int rex_cpu_team_threads()
{
    static const int set = [] {
        const char *text = rex_host_getenv("REX_CPU_TEAM_THREADS");
        return text ? rex_host_atoi(text) : 0; /* read by the host, whose memory it is */
    }();
    return set > 0 ? set : rex_cpu_threads();
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* Whether this thread is inside one of the wrappers below. The kernel then runs its own code. */
REX_STATE thread_local bool rex_cpu_inside = false;

static inline void rex_cpu_place(unsigned int blocks, unsigned int threads, unsigned int block, unsigned int thread)
{
    gridDim.x = blocks;
    blockDim.x = threads;
    blockIdx.x = block;
    threadIdx.x = thread;
}

/* The beginning of part number `part`, if [0, trip) is cut into `parts` contiguous, nearly equal parts. */
static inline long long rex_cpu_part(long long part, long long parts, long long trip)
{
    const long long longer = trip % parts;
    return trip / parts * part + (part < longer ? part : longer);
}

/* Runs one block with a device thread for each host thread. Device threads may be teams, and a single team runs its
 * iterations in order. */
template <class Kernel>
static inline void rex_cpu_grid(Kernel kernel, [[maybe_unused]] bool is_one_team)
{
#ifdef REX_DEVICE_CHECK
    const rex_check_launching launching;
    const unsigned int launch = rex_check_launch(), interval = rex_check_interval(0);
#endif
#pragma omp parallel num_threads(rex_host_get_max_teams() == 1 ? 1 : rex_cpu_threads())
    {
#ifdef REX_DEVICE_CHECK
        const rex_check_inside inside(launch, 0, interval, rex_host_get_thread_num());
        rex_check_many_teams = !is_one_team && rex_host_get_max_teams() != 1;
#endif
        rex_cpu_inside = true;
        rex_cpu_place(1, rex_host_get_num_threads(), 0, rex_host_get_thread_num());
        kernel();
        rex_cpu_inside = false;
    }
}

/* Runs every device thread of the grid. Each host thread runs a contiguous part of them, one after the other. */
template <class Kernel>
static inline void rex_cpu_grid_exact(unsigned long long shape, Kernel kernel)
{
    const unsigned int blocks = shape >> 32, threads = static_cast<unsigned int>(shape);
    const long long grid = static_cast<long long>(blocks) * threads;
#ifdef REX_DEVICE_CHECK
    const rex_check_launching launching;
    const unsigned int launch = rex_check_launch(), interval = rex_check_interval(0);
#endif
#pragma omp parallel num_threads(rex_cpu_threads())
    {
        const long long part = rex_host_get_thread_num(), parts = rex_host_get_num_threads();
        const long long end = rex_cpu_part(part + 1, parts, grid);
        rex_cpu_inside = true;
        for (long long id = rex_cpu_part(part, parts, grid); id < end; ++id) {
#ifdef REX_DEVICE_CHECK
            const rex_check_inside inside(launch, 0, interval, static_cast<unsigned int>(id));
            rex_check_many_teams = blocks > 1;
#endif
            rex_cpu_place(blocks, threads, id / threads, id % threads);
            kernel();
        }
        rex_cpu_inside = false;
    }
}

/* Says once in a unit that a team has fewer threads here than a region asks for, which can tell how many there are. A user
 * who has set their number knows. */
static inline void rex_cpu_tell_threads(unsigned long long shape, const char *place)
{
    static bool told = false;
    const unsigned int asked = static_cast<unsigned int>(shape);
    const int granted = rex_cpu_team_threads();
    if (asked <= static_cast<unsigned int>(granted) || rex_host_getenv("REX_CPU_TEAM_THREADS")
        || __atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
        return;
    fprintf(stderr, "rex-build: %s: a team may have %u threads, and has %d on the cpu device; with "
                    "REX_CPU_TEAM_THREADS=%u in the environment it has as many\n", place, asked, granted, asked);
}

/* Runs the initial threads of the teams, one after the other. */
template <class Kernel>
static inline void rex_cpu_teams(unsigned long long shape, Kernel kernel)
{
    const unsigned int teams = shape >> 32, threads = static_cast<unsigned int>(shape);
#ifdef REX_DEVICE_CHECK
    const rex_check_launching launching;
#endif
    rex_cpu_inside = true;
    for (unsigned int team = 0; team < teams; ++team) {
#ifdef REX_DEVICE_CHECK
        const rex_check_inside inside(rex_check_launch(), team, rex_check_interval(team), 0);
#endif
        rex_cpu_place(teams, threads, team, 0);
        kernel();
    }
    rex_cpu_inside = false;
}

/* A GPU cannot call the host's functions. Here a call would seem to work, but these functions know only host memory. */
extern "C" __attribute__((visibility("hidden"))) const char rex_cpu_image_begin[] __asm__("__ehdr_start");

/* Where the image's last segment ends. Its headers say so; the linker's own symbol for it cannot be used in every image
 * that is linked from several objects. The fields are those of Elf64_Ehdr and Elf64_Phdr, whose header <elf.h> would bring
 * hundreds of macros into the user's code. */
static inline const char *rex_cpu_image_end()
{
    struct rex_segment {
        unsigned int type, flags;
        unsigned long offset, address, physical, file_bytes, bytes, alignment;
    };
    static const char *const end = [] {
        const auto *segment = reinterpret_cast<const rex_segment *>(
            rex_cpu_image_begin + *reinterpret_cast<const unsigned long *>(rex_cpu_image_begin + 32));
        const auto count = *reinterpret_cast<const unsigned short *>(rex_cpu_image_begin + 56);
        unsigned long last = 0;
        for (int i = 0; i < count; ++i)
            if (segment[i].type == 1 && segment[i].address + segment[i].bytes > last)  /* PT_LOAD */
                last = segment[i].address + segment[i].bytes;
        return rex_cpu_image_begin + last;
    }();
    return end;
}

template <class F>
static inline F rex_own_function(F f)
{
    const char *const at = reinterpret_cast<const char *>(f);
    Dl_info program, function;
    if (at >= rex_cpu_image_begin && at < rex_cpu_image_end())
        return f;
    if (dladdr(reinterpret_cast<void *>(rex_auxiliary_value(REX_PROGRAM_HEADERS)), &program) && dladdr(at, &function)
        && program.dli_fbase == function.dli_fbase) {
        fprintf(stderr, "rex-build: device code calls a host function by its address: declare it 'declare target "
                        "indirect' in the unit that defines it and the unit of the target region\n");
        abort();
    }
    return f;
}

#define REX_CPU_RUN(runner)                                                                                            \
    if (!rex_cpu_inside) {                                                                                             \
        runner;                                                                                                        \
        return;                                                                                                        \
    }

#define REX_CPU_GRID(call) REX_CPU_RUN(rex_cpu_grid([=] { call; }, false))
#define REX_CPU_TEAM(call) REX_CPU_RUN(rex_cpu_grid([=] { call; }, true))
#define REX_CPU_GRID_EXACT(shape, call) REX_CPU_RUN(rex_cpu_grid_exact(shape, [&] { call; }))
#define REX_CPU_COUNTS_THREADS(shape, place)                                                                           \
    if (!rex_cpu_inside)                                                                                               \
    rex_cpu_tell_threads(shape, place)
#define REX_CPU_TEAMS(shape, call) REX_CPU_RUN(rex_cpu_teams(shape, [&] { call; }))

static inline long long rex_cpu_id() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
static inline long long rex_cpu_ids() { return static_cast<long long>(gridDim.x) * blockDim.x; }
#ifdef REX_DEVICE_CHECK
/* Whether a loop whose iterations so many threads share belongs to all teams of a grid. */
static inline bool rex_check_over_teams(long long sharers) { return rex_check_many_teams && sharers == rex_cpu_ids(); }
#endif

/* A kernel's loop for aligned arrays is the only one: g++ has nothing of it. */
#define REX_IS_ALIGNED(place, bytes) true

/* What holds where it stands. Tests have it checked. */
#ifdef REX_CHECK_ASSUMED
#define REX_ASSUME(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define REX_ASSUME(condition) ((void)0)
#endif

/* Each thread takes a contiguous part, because strides of the thread count would keep g++ from vectorising the loop. With
 * REX_CPU_BACKWARDS, which is for tests, a thread begins with its last iteration: then results show that iterations which
 * the device may run in any order depend on each other. */
#ifdef REX_DEVICE_CHECK
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long rex_asked_##iv = rex_check_asked(), iv = rex_cpu_part(first, step, trip),                                \
              rex_end_##iv = rex_cpu_part((first) + 1, step, trip),                                                    \
              rex_shared_##iv = rex_check_begin_loop(rex_asked_##iv, (step) > 1, rex_check_over_teams(step));          \
    rex_check_turn(iv < rex_end_##iv, rex_shared_##iv ? iv : -1);                                                      \
    ++iv
#elif defined(REX_CPU_BACKWARDS)
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long rex_begin_##iv = rex_cpu_part(first, step, trip), iv = rex_cpu_part((first) + 1, step, trip) - 1;        \
    iv >= rex_begin_##iv;                                                                                              \
    --iv
#else
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = rex_cpu_part(first, step, trip), rex_end_##iv = rex_cpu_part((first) + 1, step, trip);              \
    iv < rex_end_##iv;                                                                                                 \
    ++iv
#endif
#define REX_ONE_ITERATION

#define REX_TILE_BATCHES REX_TILE_ROWS
#define REX_BATCH_COLUMN REX_TILE_COLUMNS

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
#elif defined(REX_CPU_BACKWARDS)
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    int rex_begin_##iv = static_cast<int>(rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), trip)),                            \
        iv = static_cast<int>(rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), trip)) - 1;                                \
    iv >= rex_begin_##iv;                                                                                              \
    --iv
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    long long rex_first_##row = rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), (long long)(rows) * (columns)),              \
              rex_end_##row = rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), (long long)(rows) * (columns)),            \
              row = rex_end_##row > rex_first_##row ? (rex_end_##row - 1) / (columns) : -1;                            \
    row >= 0 && (row + 1) * (columns) > rex_first_##row;                                                               \
    --row
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    long long rex_begin_##column = rex_first_##row > row * (columns) ? rex_first_##row - row * (columns) : 0,          \
              column = (rex_end_##row - row * (columns) < (columns) ? rex_end_##row - row * (columns) : (columns)) - 1; \
    column >= rex_begin_##column;                                                                                      \
    --column
#else
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    int iv = static_cast<int>(rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), trip)),                                        \
        rex_end_##iv = static_cast<int>(rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), trip));                          \
    iv < rex_end_##iv;                                                                                                 \
    ++iv
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    long long rex_first_##row = rex_cpu_part(rex_cpu_id(), rex_cpu_ids(), (long long)(rows) * (columns)),              \
              rex_end_##row = rex_cpu_part(rex_cpu_id() + 1, rex_cpu_ids(), (long long)(rows) * (columns)),            \
              row = rex_first_##row / ((columns) > 0 ? (columns) : 1);                                                 \
    row * (columns) < rex_end_##row;                                                                                   \
    ++row
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    long long column = rex_first_##row > row * (columns) ? rex_first_##row - row * (columns) : 0,                      \
              rex_end_##column = rex_end_##row - row * (columns) < (columns) ? rex_end_##row - row * (columns)         \
                                                                             : (columns);                              \
    column < rex_end_##column;                                                                                         \
    ++column
#endif
