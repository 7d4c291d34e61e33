/* OpenMP's functions (OpenMP 5.2, chapter 18), with the values of LLVM's device runtime. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

REX_FN long long rex_device_thread_num() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }

/* If the thread limit is 1, every device thread is a team of its own. If blocks have one thread, both readings agree. */
REX_FN int omp_get_team_num()
{
    REX_CHECK_NUMBER();
    return static_cast<int>(rex_team.thread_limit == 1 ? rex_device_thread_num() : blockIdx.x);
}
REX_FN int omp_get_num_teams()
{
    return static_cast<int>(rex_team.thread_limit == 1 ? gridDim.x * blockDim.x : gridDim.x);
}
REX_FN int omp_get_thread_num()
{
    REX_CHECK_NUMBER();
    return rex_in_team_region() ? static_cast<int>(threadIdx.x) : 0;
}
REX_FN int omp_get_num_threads() { return rex_in_team_region() ? rex_team.region_threads : 1; }
REX_FN int omp_get_thread_limit() { return rex_team.thread_limit; }
/* No region that asks for no number has more threads than this. The program may ask in a region of one thread. */
REX_FN int omp_get_max_threads()
{
    const int most = 256; /* LOOP_THREADS of plan/launch_policy.py */
    const int set = rex_current_settings().num_threads;
    return set > 0 ? set : rex_team.thread_limit > most ? rex_team.thread_limit : most;
}
REX_FN int omp_get_level() { return rex_team.level + rex_depth(); }
REX_FN int omp_get_active_level() { return rex_team.level == 1 && rex_team.region_threads > 1 ? 1 : 0; }
REX_FN int omp_in_parallel() { return omp_get_active_level(); }
REX_FN int omp_get_ancestor_thread_num(int level)
{
    if (level < 0 || level > omp_get_level())
        return -1;
    return level == 1 && rex_team.level == 1 ? static_cast<int>(threadIdx.x) : 0;
}
REX_FN int omp_get_team_size(int level)
{
    if (level < 0 || level > omp_get_level())
        return -1;
    return level == 1 && rex_team.level == 1 ? rex_team.region_threads : 1;
}

/* The queries of worksharing kernels, which need no state. REX_KERNEL_LEVEL makes them hide the functions above. */

namespace rex_level_0 {
REX_FN int omp_get_team_num() { return REX_CHECK_NUMBER(), static_cast<int>(rex_device_thread_num()); }
REX_FN int omp_get_num_teams() { return static_cast<int>(gridDim.x * blockDim.x); }
REX_FN int omp_get_thread_num() { return 0; }
REX_FN int omp_get_num_threads() { return 1; }
REX_FN int omp_get_thread_limit() { return 1; }
REX_FN int omp_get_level() { return 0; }
REX_FN int omp_get_active_level() { return 0; }
REX_FN int omp_in_parallel() { return 0; }
REX_FN int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
REX_FN int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
} // namespace rex_level_0

namespace rex_level_1 {
REX_FN int omp_get_team_num() { return REX_CHECK_NUMBER(), static_cast<int>(blockIdx.x); }
REX_FN int omp_get_num_teams() { return static_cast<int>(gridDim.x); }
REX_FN int omp_get_thread_num() { return REX_CHECK_NUMBER(), static_cast<int>(threadIdx.x); }
REX_FN int omp_get_num_threads() { return static_cast<int>(blockDim.x); }
REX_FN int omp_get_thread_limit() { return static_cast<int>(blockDim.x); }
REX_FN int omp_get_level() { return 1; }
REX_FN int omp_get_active_level() { return blockDim.x > 1 ? 1 : 0; }
REX_FN int omp_in_parallel() { return omp_get_active_level(); }
REX_FN int omp_get_ancestor_thread_num(int level)
{
    return level == 1 ? static_cast<int>(threadIdx.x) : level == 0 ? 0 : -1;
}
REX_FN int omp_get_team_size(int level) { return level == 1 ? static_cast<int>(blockDim.x) : level == 0 ? 1 : -1; }
} // namespace rex_level_1

#define REX_KERNEL_LEVEL(level)                                                                                        \
    using rex_level_##level::omp_get_team_num, rex_level_##level::omp_get_num_teams,                                   \
        rex_level_##level::omp_get_thread_num, rex_level_##level::omp_get_num_threads,                                 \
        rex_level_##level::omp_get_thread_limit, rex_level_##level::omp_get_level,                                     \
        rex_level_##level::omp_get_active_level, rex_level_##level::omp_in_parallel,                                   \
        rex_level_##level::omp_get_ancestor_thread_num, rex_level_##level::omp_get_team_size

REX_FN void omp_set_num_threads(int num_threads) { rex_current_settings().num_threads = num_threads; }
REX_FN void omp_set_schedule(omp_sched_t kind, int chunk)
{
    rex_current_settings().schedule = kind;
    rex_current_settings().chunk = chunk;
}
/* The chunk size of schedule(runtime). It is `even` if none was set, or if a program cannot tell which threads get which
 * chunks. */
REX_FN long long rex_runtime_chunk(long long even)
{
    const rex_settings settings = rex_current_settings();
    return (settings.schedule & ~omp_sched_monotonic) == omp_sched_static && settings.chunk > 0 ? settings.chunk : even;
}

REX_FN void omp_set_max_active_levels(int levels)
{
    if (levels >= 0)
        rex_current_settings().active_levels = levels > 0;
}
REX_FN int omp_get_max_active_levels()
{
    return rex_has_own_settings() ? rex_current_settings().active_levels : 1;
}
REX_FN int omp_get_nested() { return 0; }
REX_FN void omp_set_nested(int) { omp_set_max_active_levels(1); }
REX_FN void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = rex_current_settings().schedule;
    *chunk = rex_current_settings().chunk;
}

/* Facts that only the host knows. Kernels with such queries begin by setting them, on every thread. All threads have the
 * same values and write those alone that are new: stores of all warps to one place wait for each other. */
struct rex_device_facts {
    int num_devices, device_num, num_procs;
};
REX_STATE __device__ rex_device_facts rex_facts;

template <class T>
REX_FN void rex_set_fact(T &fact, T value)
{
    if (fact != value)
        fact = value;
}

REX_FN void rex_set_device_facts(int num_devices, int device_num, int num_procs)
{
    rex_set_fact(rex_facts.num_devices, num_devices);
    rex_set_fact(rex_facts.device_num, device_num);
    rex_set_fact(rex_facts.num_procs, num_procs);
}
REX_FN int omp_get_num_devices() { return rex_facts.num_devices; }
REX_FN int omp_get_device_num() { return rex_facts.device_num; }
REX_FN int omp_get_num_procs() { return rex_facts.num_procs; }

/* The limits for the number of teams and of threads in each, as set on the device. 0 means that none was set. They are a
 * copy of the host's rex_team_limits, which launches respect. Kernels that call these functions begin by setting the
 * pointer. */
REX_STATE __device__ int *rex_limits;

REX_FN int omp_get_max_teams() { return rex_limits ? rex_limits[0] : 0; }
REX_FN int omp_get_teams_thread_limit() { return rex_limits ? rex_limits[1] : 0; }
REX_FN void rex_set_limit(int which, int limit)
{
    if (rex_limits && limit >= 0)
        rex_limits[which] = limit;
}
REX_FN void omp_set_num_teams(int teams) { rex_set_limit(0, teams); }
REX_FN void omp_set_teams_thread_limit(int threads) { rex_set_limit(1, threads); }

REX_FN int omp_is_initial_device() { return 0; }

/* Whether this is code for architecture sm_<number>, for context selectors with `isa`. */
REX_FN constexpr int rex_isa(int number)
{
#ifdef __CUDA_ARCH__
    return number * 10 == __CUDA_ARCH__;
#else
    return 0;
#endif
}
REX_FN int omp_get_initial_device() { return rex_facts.num_devices; }
REX_FN int omp_get_default_device() { return -1; }
REX_FN void omp_set_default_device(int) {}
REX_FN int omp_get_dynamic() { return 0; }
REX_FN void omp_set_dynamic(int) {}
REX_FN int omp_get_supported_active_levels() { return 1; }
REX_FN int omp_get_cancellation() { return 0; }
REX_FN omp_proc_bind_t omp_get_proc_bind() { return omp_proc_bind_false; }
REX_FN int omp_get_num_places() { return 0; }
REX_FN int omp_get_place_num_procs(int) { return 0; }
REX_FN void omp_get_place_proc_ids(int, int *) {}
REX_FN int omp_get_place_num() { return 0; }
REX_FN int omp_get_partition_num_places() { return 0; }
REX_FN void omp_get_partition_place_nums(int *) {}
REX_FN int omp_get_max_task_priority() { return 0; }

REX_FN int omp_in_final() { return rex_current_settings().task == rex_final_task; }
REX_FN int omp_in_explicit_task() { return rex_current_settings().task != rex_implicit_task; }

REX_FN double omp_get_wtime() { return rex_seconds(); }
REX_FN double omp_get_wtick() { return 1e-9; }

/* Every allocator uses the device's heap. The handle of an allocator with traits holds the traits: bit 63 is set, bits 56
 * and 57 are the fallback (1 null, 2 abort), bits 48 to 53 the binary logarithm of the alignment, and the lower 48 bits
 * the size of the pool, which limits every single allocation. The host makes such handles for uses_allocators. */
REX_FN omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int count, const omp_alloctrait_t *traits)
{
    const uintptr_t all = ((uintptr_t)1 << 48) - 1;
    uintptr_t alignment = 0, fallback = 0, pool = all;
    for (int i = 0; i < count; ++i) {
        const uintptr_t value = traits[i].value;
        if (value == omp_atv_default)
            continue;
        if (traits[i].key == omp_atk_alignment)
            while ((uintptr_t)1 << alignment < value && alignment < 47)
                ++alignment;
        if (traits[i].key == omp_atk_pool_size)
            pool = value < all ? value : all;
        if (traits[i].key == omp_atk_fallback)
            fallback = value == omp_atv_null_fb ? 1 : value == omp_atv_abort_fb ? 2 : 0;
    }
    return (omp_allocator_handle_t)((uintptr_t)1 << 63 | fallback << 56 | alignment << 48 | pool);
}
REX_FN void omp_destroy_allocator(omp_allocator_handle_t) {}

/* The pointer from malloc and the size in bytes stand right in front of the memory. */
struct rex_allocation {
    void *base;
    size_t size;
};

REX_FN void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator)
{
    const uintptr_t all = ((uintptr_t)1 << 48) - 1, traits = (uintptr_t)allocator;
    const bool has_traits = traits >> 63 != 0;
    const uintptr_t fallback = has_traits ? traits >> 56 & 3 : 0;
    if (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return NULL;
    if (has_traits && (size_t)1 << (traits >> 48 & 63) > alignment)
        alignment = (size_t)1 << (traits >> 48 & 63);
    const size_t room = sizeof(rex_allocation) + (alignment > 16 ? alignment : 16);
    char *base = NULL;
    if (size <= (size_t)-1 - room && (fallback == 0 || (traits & all) == all || size <= (traits & all)))
        base = (char *)malloc(size + room);
    if (base == NULL) {
        if (fallback == 2)
            rex_abort();
        return NULL;
    }
    const uintptr_t mask = (uintptr_t)(alignment > 16 ? alignment : 16) - 1;
    char *memory = (char *)(((uintptr_t)(base + sizeof(rex_allocation)) + mask) & ~mask);
    ((rex_allocation *)memory)[-1] = {base, size};
    return memory;
}

REX_FN void *omp_alloc(size_t size, omp_allocator_handle_t allocator)
{
    return omp_aligned_alloc(1, size, allocator);
}

REX_FN void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, omp_allocator_handle_t allocator)
{
    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    void *memory = omp_aligned_alloc(alignment, count * size, allocator);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

REX_FN void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator)
{
    return omp_aligned_calloc(1, count, size, allocator);
}

REX_FN void omp_free(void *memory, omp_allocator_handle_t)
{
    if (memory != NULL)
        free(((rex_allocation *)memory)[-1].base);
}

REX_FN void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t to, omp_allocator_handle_t from)
{
    void *fresh = size == 0 ? NULL : omp_alloc(size, to);
    if (memory != NULL && (fresh != NULL || size == 0)) {
        if (fresh != NULL) {
            const size_t before = ((rex_allocation *)memory)[-1].size;
            memcpy(fresh, memory, before < size ? before : size);
        }
        omp_free(memory, from);
    }
    return fresh;
}
