/* Teams: parallel regions, barriers, and the state that threads of a team share. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

enum rex_task_kind { rex_implicit_task, rex_explicit_task, rex_final_task };

/* The settings of a task: its last omp_set_num_threads or 0, its last omp_set_schedule, how many levels of regions may have
 * several threads (0 or 1), and what kind of task it is. */
struct rex_settings {
    int num_threads;
    omp_sched_t schedule;
    int chunk;
    int active_levels;
    rex_task_kind task;
};

/* The state that all threads of a team share. In the team's parallel region `level` is 1. Regions inside of it run on the
 * thread that encounters them, and rex_depth() counts those of the calling thread. */
struct rex_team_state {
    int level;          /* 0 or 1 */
    int region_threads; /* threads at that level */
    int thread_limit;   /* threads a region may have; 1 if every device thread is a team */
    bool own_settings;     /* each thread has settings of its own; for REX_SEPARABLE */
    rex_settings settings; /* with which its regions begin */
#ifdef REX_SEPARABLE
    void *const *host_functions, *const *functions; /* indirect functions that the kernel's unit knows */
    int function_count;
#endif
#ifdef REX_DEVICE_CPU
    const void **broadcast; /* where a thread of the current region leaves what the others are to read */
#endif
#ifdef REX_DEVICE_CHECK
    int singles; /* that the calling thread has come to in the current region */
#endif
};

#ifdef REX_DEVICE_CPU

REX_STATE thread_local rex_team_state rex_team;
REX_STATE thread_local int rex_nested_regions;

REX_FN int &rex_depth() { return rex_nested_regions; }

#else

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
REX_STATE __shared__ rex_settings rex_thread_settings[REX_BLOCK_MAX];
#endif

/* Called by all threads of the block, which need not be converged or at the same place. Orders memory like
 * __syncthreads(). */
REX_FN void rex_block_barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }

#endif

/* Whether each thread has settings of its own. It has in kernels of units with REX_OWN_SETTINGS, which all units define that
 * call functions of other units. Elsewhere nothing in a region changes the settings. */
REX_FN bool rex_has_own_settings()
{
#if defined(REX_SEPARABLE)
    return rex_team.own_settings; /* the kernel may be another unit's */
#elif defined(REX_OWN_SETTINGS)
    return true;
#else
    return false;
#endif
}

/* The settings of the calling thread's task, or of the team. */
REX_FN rex_settings &rex_current_settings()
{
#if (defined(REX_OWN_SETTINGS) || defined(REX_SEPARABLE)) && !defined(REX_DEVICE_CPU)
    if (rex_has_own_settings())
        return rex_thread_settings[threadIdx.x];
#endif
    return rex_team.settings;
}

/* Lets the team's regions begin with the settings of the calling thread's task. */
REX_FN void rex_give_settings()
{
    if (rex_has_own_settings())
        rex_team.settings = rex_current_settings();
}

/* Gives the calling thread's task the settings with which the team's regions begin. */
REX_FN void rex_take_settings()
{
    if (rex_has_own_settings())
        rex_current_settings() = rex_team.settings;
}

/* Gives the rest of a block settings of its own, which begin as a copy of those around it. This is for explicit tasks, which
 * run at once; such a task is final if it is declared so or if the task around it is final. Without arguments it is for
 * implicit tasks. */
struct rex_own_settings {
#ifdef REX_OWN_SETTINGS
    const rex_settings around;
    __device__ rex_own_settings() : around(rex_current_settings()) { rex_current_settings().task = rex_implicit_task; }
    __device__ explicit rex_own_settings(bool is_final) : around(rex_current_settings())
    {
        const bool final = is_final || around.task == rex_final_task;
        rex_current_settings().task = final ? rex_final_task : rex_explicit_task;
    }
    __device__ ~rex_own_settings() { rex_current_settings() = around; }
#endif
};

REX_FN bool rex_in_team_region() { return rex_team.level == 1 && rex_depth() == 0; }

REX_FN void rex_team_reset(int level, int region_threads, int thread_limit)
{
    rex_team.level = level;
    rex_team.region_threads = region_threads;
    rex_team.thread_limit = thread_limit;
#if defined(REX_SEPARABLE) && defined(REX_OWN_SETTINGS)
    rex_team.own_settings = true;
#elif defined(REX_SEPARABLE)
    rex_team.own_settings = false;
#endif
    rex_team.settings = {0, omp_sched_static, 0, 1, rex_implicit_task};
    rex_take_settings();
}

/* The number of threads of a region that a team's initial thread starts. */
REX_FN int rex_region_size(int requested, int available)
{
    if (rex_has_own_settings() && rex_current_settings().active_levels == 0)
        return 1;
    const int set = rex_current_settings().num_threads;
    const int wanted = requested > 0 ? requested : set > 0 ? set : available;
    return wanted < rex_team.thread_limit ? wanted : rex_team.thread_limit;
}

/* Runs a region on the calling thread alone. */
template <class Body>
REX_FN void rex_serial_region(Body body)
{
    [[maybe_unused]] const rex_own_settings settings{};
    ++rex_depth();
    body();
    --rex_depth();
}

#ifdef REX_DEVICE_CPU

/* On the cpu device all variables of the sequential part are shared anyway. This checks that it is used only there, because
 * elsewhere it would not make variables shared on a GPU. */
#define REX_TEAM_SHARED rex_check_sequential();
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
#define REX_BATCHED_LOOP REX_STRIDED_LOOP
#define REX_TEAM_ONCE(iv, trip) REX_TEAM_LOOP(iv, blockIdx.x, gridDim.x, trip)
#define REX_REGION_LOOP(iv, trip) REX_STRIDED_LOOP(iv, threadIdx.x, rex_region_threads(), trip)
#define REX_REGION_LOOP_32 REX_REGION_LOOP
#define REX_REGION_ONCE REX_REGION_LOOP
#define REX_TEAM_REGION                                                                                                \
    for (rex_cpu_region rex_region; rex_region.inside; rex_region.inside = false)                                      \
        _Pragma("omp parallel num_threads(rex_region.threads)")                                                        \
        for (rex_cpu_member rex_member(rex_region); rex_member.inside; rex_member.inside = false)
REX_FN bool rex_team_first() { return true; }
REX_FN void rex_team_wait() {}
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
        rex_team.broadcast = &region.broadcast;
#ifdef REX_DEVICE_CHECK
        rex_team.singles = 0;
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

#else

#define REX_CPU_GRID(call)
#define REX_CPU_TEAM(call)
#define REX_CPU_GRID_EXACT(shape, call)
#define REX_CPU_TEAMS(shape, call)
#define REX_CPU_COUNTS_THREADS(shape, place)
#define REX_TEAM_SHARED __shared__
#define REX_OUTLINED __noinline__ /* a function that would make kernels too large for nvcc */
#define REX_REGION [=]() mutable
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = (first);                                                                                            \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += (step)
/* The same loop, whose iterations are counted first. REX_SIDE_BY_SIDE in front of it has nvcc unroll it without a test
 * between the iterations, and load for all of them at once. */
#define REX_SIDE_BY_SIDE(many) REX_PRAGMA(unroll many)
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

/* How many rows the calling thread runs, the first of which is `row`. */
REX_FN int rex_tile_share(int row, int step, int rows, int columns, unsigned long long tiling)
{
    if (row >= rows || rex_place_in_tiles(columns, tiling).x >= columns)
        return 0;
    return step == 0 ? 1 : (rows - 1 - row) / step + 1;
}

/* Put in front of such a loop if a thread runs about one iteration. Unrolling would only make it longer. */
#define REX_ONE_ITERATION _Pragma("unroll 1")

template <class F>
REX_FN F rex_own_function(F f)
{
    return f;
}

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
/* ... of no more iterations than the region has threads. */
#define REX_REGION_ONCE(iv, trip)                                                                                      \
    int iv = static_cast<int>(threadIdx.x);                                                                            \
    iv < static_cast<int>(trip);                                                                                       \
    iv = static_cast<int>(trip)
REX_FN bool rex_team_first() { return threadIdx.x == 0; }
REX_FN void rex_team_wait() { __syncthreads(); }
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

#endif
