/* The CUDA words of xomp_cuda_lib_inlined.cu for the cpu device.
 *
 * libomptarget's host plugin calls a kernel once, on one thread. The wrappers here run it over the threads of the host
 * OpenMP runtime: a grid of independent device threads (REX_CPU_GRID, REX_CPU_GRID_EXACT) or one team after the other
 * whose parallel regions are host parallel regions (REX_CPU_TEAMS). Included by xomp_cuda_lib_inlined.cu when
 * REX_DEVICE_CPU is defined.
 */
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sched.h>
#include <type_traits>

/* State of the device library: each unit's own, or one for all the units that device-link joins. */
#ifndef REX_STATE
#ifdef REX_SEPARABLE
#define REX_STATE inline
#else
#define REX_STATE static
#endif
#endif

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __constant__
#define __launch_bounds__(...)
#define __ldg(address) (*(address))
#define __forceinline__ inline

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

/* Compares bits, so that a NaN in memory does not make the loop spin. */
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

template <class T>
static inline T atomicAdd(T *address, T value)
{
    if constexpr (std::is_integral_v<T>)
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

static inline void __nanosleep(unsigned int) { sched_yield(); }

/* ---- the host OpenMP runtime ---------------------------------------------------------------------------------- */

/* The device library defines functions of the same names for device code, hence the aliases. */
extern "C" int rex_host_get_thread_num(void) __asm__("omp_get_thread_num");
extern "C" int rex_host_get_num_threads(void) __asm__("omp_get_num_threads");
extern "C" int rex_host_get_max_threads(void) __asm__("omp_get_max_threads");
extern "C" int rex_host_get_num_procs(void) __asm__("omp_get_num_procs");
extern "C" int rex_host_get_active_level(void) __asm__("omp_get_active_level");
extern "C" int rex_host_get_max_active_levels(void) __asm__("omp_get_max_active_levels");
extern "C" void rex_host_set_max_active_levels(int levels) __asm__("omp_set_max_active_levels");

static inline int rex_cpu_threads()
{
    const int threads = rex_host_get_max_threads(), cores = rex_host_get_num_procs();
    return threads < cores ? threads : cores;
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* Whether this thread runs inside one of the wrappers below, so that the kernel's own code is wanted. */
REX_STATE thread_local bool rex_cpu_inside = false;

static inline void rex_cpu_place(unsigned int blocks, unsigned int threads, unsigned int block, unsigned int thread)
{
    gridDim.x = blocks;
    blockDim.x = threads;
    blockIdx.x = block;
    threadIdx.x = thread;
}

/* Where part `part` of `parts` nearly equal, contiguous parts of [0, trip) begins. */
static inline long long rex_cpu_part(long long part, long long parts, long long trip)
{
    const long long longer = trip % parts;
    return trip / parts * part + (part < longer ? part : longer);
}

/* One block of as many device threads as there are host threads to run them. */
template <class Kernel>
static inline void rex_cpu_grid(Kernel kernel)
{
#pragma omp parallel num_threads(rex_cpu_threads())
    {
        rex_cpu_inside = true;
        rex_cpu_place(1, rex_host_get_num_threads(), 0, rex_host_get_thread_num());
        kernel();
        rex_cpu_inside = false;
    }
}

/* Every device thread of the grid, each host thread running a contiguous part of them one after the other. */
template <class Kernel>
static inline void rex_cpu_grid_exact(unsigned long long shape, Kernel kernel)
{
    const unsigned int blocks = shape >> 32, threads = static_cast<unsigned int>(shape);
    const long long grid = static_cast<long long>(blocks) * threads;
#pragma omp parallel num_threads(rex_cpu_threads())
    {
        const long long part = rex_host_get_thread_num(), parts = rex_host_get_num_threads();
        const long long end = rex_cpu_part(part + 1, parts, grid);
        rex_cpu_inside = true;
        for (long long id = rex_cpu_part(part, parts, grid); id < end; ++id) {
            rex_cpu_place(blocks, threads, id / threads, id % threads);
            kernel();
        }
        rex_cpu_inside = false;
    }
}

/* The initial thread of one team after the other. */
template <class Kernel>
static inline void rex_cpu_teams(unsigned long long shape, Kernel kernel)
{
    const unsigned int teams = shape >> 32, threads = static_cast<unsigned int>(shape);
    rex_cpu_inside = true;
    for (unsigned int team = 0; team < teams; ++team) {
        rex_cpu_place(teams, threads, team, 0);
        kernel();
    }
    rex_cpu_inside = false;
}

#define REX_CPU_RUN(runner)                                                                                            \
    if (!rex_cpu_inside) {                                                                                             \
        runner;                                                                                                        \
        return;                                                                                                        \
    }

#define REX_CPU_GRID(call) REX_CPU_RUN(rex_cpu_grid([&] { call; }))
#define REX_CPU_GRID_EXACT(shape, call) REX_CPU_RUN(rex_cpu_grid_exact(shape, [&] { call; }))
#define REX_CPU_TEAMS(shape, call) REX_CPU_RUN(rex_cpu_teams(shape, [&] { call; }))

/* A stride of the thread count would keep the host compiler from vectorising: each thread takes a contiguous part. */
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = rex_cpu_part(first, step, trip), rex_end_##iv = rex_cpu_part((first) + 1, step, trip);              \
    iv < rex_end_##iv;                                                                                                 \
    ++iv
#define REX_ONE_ITERATION
