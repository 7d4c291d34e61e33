/* Teams: parallel regions, barriers, and where the state is that threads of a team share. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

#include "../rex_team_state.h"

REX_STATE thread_local rex_team_state rex_team;
REX_STATE thread_local int rex_nested_regions;
/* Where a thread of the current region leaves what the others are to read. */
REX_STATE thread_local const void **rex_broadcast_place;
#ifdef REX_DEVICE_CHECK
REX_STATE thread_local int rex_singles; /* that the calling thread has come to in the current region */
#endif

REX_FN int &rex_depth() { return rex_nested_regions; }
REX_FN rex_settings &rex_thread_settings() { return rex_team.settings; } /* each thread has its own rex_team */

#include "../rex_team_settings.h"

/* On the cpu device all variables of the sequential part are shared anyway. This checks that it is used only there, because
 * elsewhere it would not make variables shared on a GPU. */
#define REX_TEAM_SHARED rex_check_sequential();
REX_FN void rex_error(bool fatal, const char *message);
REX_FN void rex_check_sequential()
{
    if (rex_team.level + rex_depth() > 0)
        rex_error(true, "a thread's own variable is declared in its team's memory");
}
#define REX_OUTLINED
#define REX_REGION [&]()

/* The initial thread runs the sequential part alone, and starts its regions on all host threads. */
#define REX_TEAM_TOGETHER(most)                                                                                        \
    [[maybe_unused]] unsigned int rex_turn = 0;                                                                        \
    rex_team_begin()
#define REX_TEAM_TOGETHER_STATE(most) REX_TEAM_TOGETHER(most)
#define REX_TEAM_EXACTLY(threads) ((void)0)
#ifdef REX_DEVICE_CHECK
/* Each iteration is a team of its own. */
#define REX_TEAM_LOOP(iv, first, step, trip)                                                                           \
    long long rex_asked_##iv = rex_check_asked(), iv = rex_cpu_part(first, step, trip),                                \
              rex_end_##iv = rex_cpu_part((first) + 1, step, trip),                                                    \
              rex_shared_##iv = rex_check_begin_loop(rex_asked_##iv, (step) > 1);                                      \
    rex_shared_##iv ? rex_check_team_turn(iv < rex_end_##iv) : iv < rex_end_##iv;                                      \
    ++iv
/* Each section is a logical thread. The first thread, which does other things more often, runs the last ones. */
#define REX_SECTIONS(section, count)                                                                                   \
    int rex_asked_##section = rex_check_asked(), section = omp_get_num_threads() - 1 - omp_get_thread_num(),           \
        rex_shared_##section = rex_check_begin_loop(rex_asked_##section, omp_get_num_threads() > 1);                   \
    rex_check_turn(section < (count), rex_shared_##section ? section : -1);                                            \
    section += omp_get_num_threads()
#else
#define REX_TEAM_LOOP REX_STRIDED_LOOP
#endif
#define REX_TEAM_LOOP_32 REX_TEAM_LOOP
#define REX_SIDE_BY_SIDE(many)
#define REX_UNROLL
#define REX_BATCHED_LOOP REX_STRIDED_LOOP
#define REX_TEAM_ONCE(iv, trip) REX_TEAM_LOOP(iv, blockIdx.x, gridDim.x, trip)
#define REX_REGION_LOOP(iv, trip) REX_STRIDED_LOOP(iv, threadIdx.x, rex_region_threads(), trip)
#define REX_REGION_LOOP_32 REX_REGION_LOOP
#define REX_REGION_BATCHES REX_REGION_LOOP
#define REX_REGION_BATCHES_32 REX_REGION_LOOP
#define REX_REGION_ONCE REX_REGION_LOOP
#define REX_REGION_PART REX_REGION_LOOP
#define REX_REGION_SIZE(count) ((void)0)
#define REX_TEAM_REGION REX_TEAM_REGION_OF(0)
#define REX_TEAM_REGION_OF(count)                                                                                      \
    for (rex_cpu_region rex_region(count); rex_region.inside; rex_region.inside = false)                               \
        _Pragma("omp parallel num_threads(rex_region.threads)")                                                        \
        for (rex_cpu_member rex_member(rex_region); rex_member.inside; rex_member.inside = false)
REX_FN bool rex_team_first() { return true; }
REX_FN void rex_team_wait() {}
#define REX_TEAM_QUERIES ((void)0)
REX_FN void rex_barrier();
REX_FN bool rex_master();
REX_FN bool rex_single();
REX_FN void rex_region_wait() { rex_barrier(); }
REX_FN bool rex_region_first() { return rex_master(); }
REX_FN bool rex_region_single() { return rex_single(); }
REX_FN int rex_region_threads() { return rex_team.region_threads; }

REX_FN void rex_kernel_state(int level)
{
    const int threads = level == 0 ? 1 : static_cast<int>(blockDim.x);
    rex_nested_regions = 0;
    rex_team_reset(level, threads, threads);
}

REX_FN bool rex_team_begin()
{
    rex_nested_regions = 0;
    rex_team_reset(0, 1, static_cast<int>(blockDim.x));
    return true;
}

REX_FN void rex_team_end() {}

/* A parallel region. The team's initial thread makes this object and then takes part in the region. */
struct __attribute__((visibility("hidden"))) rex_cpu_region {
    const int threads;
    const rex_team_state team = rex_team;
    const void *broadcast = nullptr;
    const rex_dim3 grid = gridDim, block = blockDim, index = blockIdx;
    /* The program may have launched the kernel from inside a parallel region of its own. */
    const int levels = rex_host_get_max_active_levels(), needed = rex_host_get_active_level() + 1;
    bool inside = true;
#ifdef REX_DEVICE_CHECK
    const unsigned int check_launch = rex_check_launch(), check_team = rex_check_team;
    const unsigned int interval = rex_check_fork(check_team);
    rex_check_meeting meeting{};
#endif
    explicit rex_cpu_region(int num_threads = 0) : threads(rex_region_size(num_threads, rex_cpu_team_threads()))
    {
        if (levels < needed)
            rex_host_set_max_active_levels(needed);
    }
    ~rex_cpu_region()
    {
        if (levels < needed)
            rex_host_set_max_active_levels(levels);
        threadIdx.x = 0;
        rex_team = team;
#ifdef REX_DEVICE_CHECK
        rex_check_go_on(rex_check_interval(check_team));
#endif
    }
    rex_cpu_region(const rex_cpu_region &) = delete;
};

/* A host thread that takes part in the region. */
struct rex_cpu_member {
    bool inside = true;
#ifdef REX_DEVICE_CHECK
    const rex_check_inside check;
    __attribute__((always_inline)) explicit rex_cpu_member(rex_cpu_region &region)
        : check(region.check_launch, region.check_team, region.interval, rex_host_get_thread_num())
#else
    explicit rex_cpu_member(rex_cpu_region &region)
#endif
    {
        rex_cpu_place(region.grid.x, region.block.x, region.index.x,
                      static_cast<unsigned int>(rex_host_get_thread_num()));
        rex_nested_regions = 0;
        rex_team = region.team;
        rex_team.settings.task = rex_implicit_task;
        rex_team.level = 1;
        rex_team.region_threads = rex_host_get_num_threads();
        rex_broadcast_place = &region.broadcast;
#ifdef REX_DEVICE_CHECK
        rex_singles = 0;
        rex_check_join(&region.meeting, rex_host_get_num_threads(), region.check_team);
#endif
    }
#ifdef REX_DEVICE_CHECK
    ~rex_cpu_member() { rex_check_part(); }
#endif
};

template <class Body>
REX_FN void rex_parallel(int num_threads, Body body)
{
    const int threads = rex_region_size(num_threads, rex_cpu_team_threads());
    if (rex_team.level + rex_depth() > 0 || threads == 1) {
        rex_serial_region(body);
        return;
    }
    rex_cpu_region region(threads);
#pragma omp parallel num_threads(threads)
    {
        rex_cpu_member member(region);
        body();
    }
}

template <class Body>
REX_FN void rex_parallel_spmd(int num_threads, Body body)
{
    rex_team_begin();
    rex_parallel(num_threads, body);
}

REX_FN void rex_barrier()
{
    if (rex_in_team_region() && rex_team.region_threads > 1) {
#ifdef REX_DEVICE_CHECK
        rex_check_barrier();
#else
#pragma omp barrier
#endif
    }
}
