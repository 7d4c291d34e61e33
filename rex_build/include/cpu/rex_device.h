/* What the rest of the library uses of the cpu device: words and functions of CUDA, and what cuda/rex_device.h has beside
 * these.
 *
 * libomptarget's host plugin calls a kernel once, on one thread. The wrappers here run it over the threads of the host
 * OpenMP runtime: a grid of independent device threads (REX_CPU_GRID, REX_CPU_GRID_EXACT) or one team after the other
 * whose parallel regions are host parallel regions (REX_CPU_TEAMS). Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

#include "../rex_types.h"
#include "../rex_check.h"
#include "../rex_state.h"

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

#define __global__ __attribute__((visibility("default")))
extern "C" __attribute__((weak, used, visibility("default"))) const char rex_cpu_image = 0; /* rex_registration.h asks */
/* The name of a variable that libomptarget looks up, for the link of the image. */
#define REX_LOOKED_UP(name) __asm__(".pushsection .rex_looked_up, \"e\", @progbits\n.string \"" name "\"\n.popsection");
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ inline

#define REX_FN static inline
#define REX_MEANT(function, translation) translation(function) /* what a host's pointer to a function means */

struct rex_dim3 {
    unsigned int x, y, z;
};

REX_STATE thread_local rex_dim3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};

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
/* gcc's LeakSanitizer misreads a thread's variables that begin 16 bytes behind a page, and dies: aligned, they never do. */
alignas(32) REX_STATE thread_local bool rex_cpu_inside = false;

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

/* ---- what only this header and cuda/rex_device.h know ---------------------------------------------------------- */

REX_FN void rex_abort() { abort(); }

/* Seconds since some moment. */
REX_FN double rex_seconds()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class T>
REX_FN T rex_bit_reversed(T x)
{
    T reversed = 0;
    for (unsigned i = 0; i < sizeof(T) * 8; ++i, x = static_cast<T>(x >> 1))
        reversed = static_cast<T>(reversed << 1 | (x & 1));
    return reversed;
}

/* For a value that the compiler must load by itself. */
template <class T>
REX_FN void rex_keep_apart(T &)
{
}

/* Sets *lock to 0 (free) or 1 (held), and returns its old value. */
REX_FN unsigned int rex_exchange_lock(unsigned int *lock, unsigned int held) { return atomicExch(lock, held); }

/* Carries out an operation on *x by `atomic(x)`, or by `plain(x)` where memory has no atomics. */
template <class T, class Atomic, class Plain>
REX_FN T rex_atomically(T *x, Atomic atomic, Plain)
{
    return atomic(x);
}

/* How _Float16 is stored. */
struct rex_half_format {
    static constexpr float least_normal = 6.103515625e-05f; /* 2 to the power of -14 */
#if defined(__FLT16_MANT_DIG__) /* otherwise gcc has no such type in C either */
    REX_FN float widen(unsigned short bits)
    {
        _Float16 value;
        memcpy(&value, &bits, sizeof bits);
        return static_cast<float>(value);
    }
    template <class V>
    REX_FN unsigned short round(V value)
    {
        const _Float16 rounded = static_cast<_Float16>(value);
        unsigned short bits;
        memcpy(&bits, &rounded, sizeof bits);
        return bits;
    }
#endif
};

/* The host compiler's own complex types. */
using rex_float_complex = float _Complex;
using rex_double_complex = double _Complex;
#define REX_REAL(z) __real__(z)
#define REX_IMAG(z) __imag__(z)
#define REX_COMPLEX_OF(R) R _Complex
/* The compiler's products fuse their parts with each other where the processor can. */
#if defined(REX_ROUNDED_PRODUCTS) && defined(__FMA__)
constexpr bool rex_has_complex_products = false;
#else
constexpr bool rex_has_complex_products = true;
#endif
constexpr bool rex_has_complex_quotients = true;
