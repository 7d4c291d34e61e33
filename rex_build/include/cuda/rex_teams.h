/* Teams: parallel regions, barriers, and where the state is that threads of a team share. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

#include "../rex_team_state.h"

constexpr unsigned int REX_BLOCK_MAX = 1024; /* threads of a block, on every architecture */
constexpr unsigned int REX_CLOSURE_MAX = 1024;
constexpr unsigned int REX_WARP = 32;

/* The parallel region that the initial thread of a generic kernel hands to the other threads. */
struct rex_region {
    void (*run)(const void *closure); /* null: the kernel is at its end */
    alignas(16) unsigned char closure[REX_CLOSURE_MAX];
};

struct rex_software_barrier {
    unsigned int arrived;
    volatile unsigned int phase;
};

REX_STATE __shared__ rex_team_state rex_team;
REX_STATE __shared__ unsigned short rex_nested_regions[REX_BLOCK_MAX];
REX_STATE __shared__ rex_region rex_current_region;
REX_STATE __shared__ rex_software_barrier rex_region_barrier;

REX_FN unsigned short &rex_depth() { return rex_nested_regions[threadIdx.x]; }

#if defined(REX_OWN_SETTINGS) || defined(REX_SEPARABLE)
REX_STATE __shared__ rex_settings rex_all_settings[REX_BLOCK_MAX];
REX_FN rex_settings &rex_thread_settings() { return rex_all_settings[threadIdx.x]; }
#else
REX_FN rex_settings &rex_thread_settings() { return rex_team.settings; }
#endif

/* Called by all threads of the block, which need not be converged or at the same place. Orders memory like
 * __syncthreads(). */
REX_FN void rex_block_barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }

#include "../rex_team_settings.h"

#define REX_TEAM_SHARED __shared__
#define REX_OUTLINED __noinline__ /* a function that would make kernels too large for nvcc */
#define REX_REGION [=]() mutable

/* Called by all threads of the block. */
REX_FN void rex_kernel_state(int level)
{
    const int threads = level == 0 ? 1 : static_cast<int>(blockDim.x);
    rex_depth() = 0;
    if (threadIdx.x == 0)
        rex_team_reset(level, threads, threads);
    rex_block_barrier();
    rex_take_settings();
}

template <class Body>
static __device__ void rex_run_closure(const void *closure)
{
    Body body = *static_cast<const Body *>(closure);
    rex_take_settings();
    [[maybe_unused]] const rex_own_settings settings{};
    body();
}

/* Runs the published region on its threads. All threads of the block come here, the initial thread from rex_parallel and
 * the others from rex_team_begin, so that a region's warps run the same copy of its code in step. Returns false at the end
 * of the kernel. */
[[maybe_unused]] static __device__ __noinline__ bool rex_join_region()
{
    rex_block_barrier();
    __syncwarp();
    if (!rex_current_region.run)
        return false;
    if (static_cast<int>(threadIdx.x) < rex_team.region_threads)
        rex_current_region.run(rex_current_region.closure);
    rex_block_barrier();
    return true;
}

/* All threads of the block run the sequential part, and parallel regions where they come to them. The limit is repeated here
 * because nvcc does not conclude from __launch_bounds__ that a block has at most this many threads. */
#define REX_TEAM_TOGETHER(most)                                                                                        \
    __builtin_assume(threadIdx.x < (most));                                                                            \
    __builtin_assume(blockDim.x <= (most));                                                                            \
    [[maybe_unused]] unsigned int rex_turn = 0
#define REX_TEAM_TOGETHER_STATE(most)                                                                                  \
    REX_TEAM_TOGETHER(most);                                                                                           \
    rex_team_together()
#define REX_TEAM_EXACTLY(threads) __builtin_assume(blockDim.x == (threads))
#define REX_TEAM_REGION
#define REX_TEAM_REGION_OF(count)
/* A loop whose iterations a team runs one after the other. No iteration begins before all threads have left the one before.
 * It counts in 32 bits if there are at most 2^31 iterations. */
#define REX_TEAM_LOOP(iv, first, step, trip)                                                                           \
    long long iv = (first);                                                                                            \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += (step), rex_team_next(iv < static_cast<long long>(trip))
#define REX_TEAM_LOOP_32(iv, first, step, trip)                                                                        \
    unsigned int iv = (first);                                                                                         \
    iv < static_cast<unsigned int>(trip);                                                                              \
    iv += (step), rex_team_next(iv < static_cast<unsigned int>(trip))
/* ... of which each team runs at most one, as the grid has a team for each. */
#define REX_TEAM_ONCE(iv, trip)                                                                                        \
    int iv = static_cast<int>(blockIdx.x);                                                                             \
    iv < static_cast<int>(trip);                                                                                       \
    iv = static_cast<int>(trip)
/* The calling thread's share of a loop in a region, counted in the same way. */
#define REX_REGION_LOOP(iv, trip) REX_STRIDED_LOOP(iv, threadIdx.x, blockDim.x, trip)
#define REX_REGION_LOOP_32(iv, trip)                                                                                   \
    unsigned int iv = threadIdx.x;                                                                                     \
    iv < static_cast<unsigned int>(trip);                                                                              \
    iv += blockDim.x
/* ... whose loads come from outside of the team's memory: the iterations are counted first, so that nvcc has several on their
 * way at a time. */
#define REX_REGION_BATCHES(iv, trip) REX_BATCHED_LOOP(iv, threadIdx.x, blockDim.x, trip)
#define REX_REGION_BATCHES_32(iv, trip)                                                                                \
    unsigned int iv = threadIdx.x, rex_left_##iv = rex_strides_32(iv, blockDim.x, static_cast<unsigned int>(trip));    \
    rex_left_##iv > 0;                                                                                                 \
    --rex_left_##iv, iv += blockDim.x
/* ... of a region that has one thread or all, as REX_REGION_SIZE in front of it says. */
#define REX_REGION_SIZE(count) const unsigned int rex_region_size_here = (count) == 1 ? 1 : blockDim.x
#define REX_REGION_PART(iv, trip)                                                                                      \
    long long iv = threadIdx.x < rex_region_size_here ? threadIdx.x : static_cast<long long>(trip);                    \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += rex_region_size_here
/* ... of no more iterations than the region has threads. */
#define REX_REGION_ONCE(iv, trip)                                                                                      \
    int iv = static_cast<int>(threadIdx.x);                                                                            \
    iv < static_cast<int>(trip);                                                                                       \
    iv = static_cast<int>(trip)
REX_FN bool rex_team_first() { return threadIdx.x == 0; }
REX_FN void rex_team_wait() { __syncthreads(); }
/* In the text of regions that all threads of a team run, nobody has to be asked who they are. */
#define REX_TEAM_QUERIES REX_KERNEL_LEVEL(1)
REX_FN void rex_region_wait() { __syncthreads(); }
REX_FN bool rex_region_first() { return threadIdx.x == 0; }
REX_FN bool rex_region_single() { return threadIdx.x == 0; }
REX_FN int rex_region_threads() { return static_cast<int>(blockDim.x); }
REX_FN void rex_team_next(bool more)
{
    if (more)
        __syncthreads();
}
REX_FN void rex_team_together()
{
    rex_depth() = 0;
    if (threadIdx.x == 0) {
        const int threads = static_cast<int>(blockDim.x);
        rex_team_reset(1, threads, threads);
        rex_region_barrier.arrived = 0;
        rex_region_barrier.phase = 0;
    }
    __syncthreads();
    rex_take_settings();
}

/* Returns true on the initial thread. The others serve its parallel regions, and return false when the kernel ends. */
REX_FN bool rex_team_begin()
{
    rex_depth() = 0;
    if (threadIdx.x != 0) {
        while (rex_join_region()) {
        }
        return false;
    }
    rex_team_reset(0, 1, static_cast<int>(blockDim.x));
    rex_region_barrier.arrived = 0;
    rex_region_barrier.phase = 0;
    return true;
}

REX_FN void rex_team_end()
{
    rex_current_region.run = nullptr;
    rex_join_region();
}

template <class Body>
REX_FN void rex_parallel(int num_threads, Body body)
{
    static_assert(__is_trivially_copyable(Body), "a parallel region captures plain C values");
    static_assert(sizeof(Body) <= REX_CLOSURE_MAX && alignof(Body) <= 16, "a parallel region captures too much");
    const int threads = rex_region_size(num_threads, rex_team.thread_limit);
    if (rex_team.level + rex_depth() > 0 || threads == 1) {
        rex_serial_region(body);
        return;
    }
    new (rex_current_region.closure) Body(body);
    rex_current_region.run = rex_run_closure<Body>;
    rex_team.level = 1;
    rex_team.region_threads = threads;
    rex_give_settings();
    rex_join_region();
    rex_team.level = 0;
    rex_team.region_threads = 1;
    rex_take_settings();
}

/* Called by all threads of the block. Threads beyond num_threads take no part in the region. */
template <class Body>
REX_FN void rex_parallel_spmd(int num_threads, Body body)
{
    rex_depth() = 0;
    if (threadIdx.x == 0) {
        rex_team_reset(1, 1, static_cast<int>(blockDim.x));
        rex_team.region_threads = rex_region_size(num_threads, rex_team.thread_limit);
        rex_region_barrier.arrived = 0;
        rex_region_barrier.phase = 0;
    }
    rex_block_barrier();
    rex_take_settings();
    if (static_cast<int>(threadIdx.x) < rex_team.region_threads)
        body();
}

/* A barrier of the current parallel region. Hardware barriers count whole warps, so a region whose last warp is not full has
 * a barrier in shared memory. */
REX_FN void rex_barrier()
{
    if (!rex_in_team_region())
        return;
    const unsigned int threads = rex_team.region_threads;
    if (threads == blockDim.x) {
        rex_block_barrier();
    } else if (threads % REX_WARP == 0) {
        asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
    } else {
        const unsigned int phase = rex_region_barrier.phase;
        __threadfence_block();
        if (atomicAdd(&rex_region_barrier.arrived, 1u) == threads - 1) {
            rex_region_barrier.arrived = 0;
            __threadfence_block();
            rex_region_barrier.phase = phase + 1;
        } else {
            while (rex_region_barrier.phase == phase)
                __nanosleep(20);
        }
        __threadfence_block();
    }
}
