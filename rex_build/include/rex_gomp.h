/* Functions of libgomp that gcc's host code calls and that LLVM's OpenMP runtime, which takes libgomp's place beside
 * libomptarget, does wrongly: tasks that need no copies of firstprivate variables, taskloop, loops that count down in 64
 * unsigned bits, and loops with ordered(n). The registration of a program or library includes this, in C or C++. The
 * functions are weak and hidden, so that each program or library has its own, however many parts it consists of.
 */
#ifndef REX_GOMP_H
#define REX_GOMP_H

#ifdef __cplusplus
extern "C" {
#endif

#define REX_GOMP __attribute__((weak, visibility("hidden")))

/* What GNU ld says of an object that calls these functions. LLVM's runtime does not have them, so that a program cannot be
 * linked, and a shared library would have no one to call. */
#define REX_GCC_ALONE(function)                                                                                              \
    static const char rex_warning_##function[] __attribute__((used, section(".gnu.warning." #function))) =                   \
        "gcc compiled this target construct by itself: compile its source through rex-build "                                \
        "(rex-gcc, or rex_add_offload_sources in CMake)"
REX_GCC_ALONE(GOMP_target_ext);
REX_GCC_ALONE(GOMP_target_data_ext);
REX_GCC_ALONE(GOMP_target_update_ext);
REX_GCC_ALONE(GOMP_target_enter_exit_data);

static struct rex_location rex_gomp_location = {0, 2, {0, 0}, 0};

/* The runtime's own function of this name. It is looked up once. */
static void *rex_gomp_original(void **known, const char *name)
{
    if (!*known)
        *known = dlsym(RTLD_NEXT, name);
    return *known;
}

/* A task whose if clause is false. If it has a `copy` function, as with firstprivate arrays, LLVM 22 runs it with the
 * original data and not with the copy. Here it gets the copy as its data. */
typedef void (*rex_task_function)(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned char,
                                  unsigned int, void **, int, void *);
REX_GOMP void rex_gomp_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                            unsigned char is_deferrable, unsigned int flags, void **depend, int priority, void *detach)
    __asm__("GOMP_task");
void rex_gomp_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                   unsigned char is_deferrable, unsigned int flags, void **depend, int priority, void *detach)
{
    static void *known;
    rex_task_function task;

    *(void **)&task = rex_gomp_original(&known, "GOMP_task");
    if (!is_deferrable && copy) {
        const rex_uint64 mask = (rex_uint64)alignment - 1;
        void *copied = (void *)(((rex_uint64)__builtin_alloca((rex_size)(size + alignment)) + mask) & ~mask);
        copy(copied, data);
        data = copied;
        copy = 0;
    }
    task(body, data, copy, size, alignment, is_deferrable, flags, depend, priority, detach);
}

/* ---- taskloop -----------------------------------------------------------------------------------------------------
 * LLVM 22 stops at loops without iterations, and counts wrongly if bounds are negative or loops count down. */

enum { /* GOMP_TASK_FLAG_... of gcc's gomp-constants.h */
    REX_TASK_OWN = 0x7 | 0x10, /* untied, final, mergeable, priority: the loop's tasks have these too */
    REX_TASK_UP = 0x100,
    REX_TASK_GRAINSIZE = 0x200,
    REX_TASK_IF = 0x400,
    REX_TASK_NOGROUP = 0x800,
    REX_TASK_REDUCTION = 0x1000,
    REX_TASK_STRICT = 0x4000
};

extern void rex_taskgroup_start(void) __asm__("GOMP_taskgroup_start") __attribute__((weak));
extern void rex_taskgroup_end(void) __asm__("GOMP_taskgroup_end") __attribute__((weak));
extern void rex_taskgroup_reduction(void *) __asm__("GOMP_taskgroup_reduction_register") __attribute__((weak));

/* A task's data begins with the first value of its iterations and the one past the last, then the table of reductions. */
struct rex_taskloop_data {
    rex_uint64 first, end;
    void *reductions;
};

/* The beginning of the data of the task that this thread makes, which `copy` does not write, and that function. */
static __thread struct rex_taskloop_data rex_task_bounds;
static __thread void (*rex_task_copy)(void *, void *);

static void rex_copy_taskloop_data(void *to, void *from)
{
    rex_task_copy(to, from);
    __builtin_memcpy(to, &rex_task_bounds, 2 * sizeof(rex_uint64));
}

/* `tasks` is the number in the clause, or 0 without a clause. */
static void rex_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                         unsigned int flags, rex_uint64 tasks, int priority, rex_uint64 first, rex_uint64 step,
                         rex_uint64 iterations)
{
    struct rex_taskloop_data *const own = (struct rex_taskloop_data *)data;
    rex_uint64 share, more = 0, task, count;

    if (!(flags & REX_TASK_NOGROUP)) {
        rex_taskgroup_start();
        if (flags & REX_TASK_REDUCTION)
            rex_taskgroup_reduction(own->reductions);
    }
    if ((flags & REX_TASK_GRAINSIZE) && (flags & REX_TASK_STRICT)) {
        share = tasks;
        tasks = iterations / share + (iterations % share > 0);
    } else {
        if (flags & REX_TASK_GRAINSIZE)
            tasks = iterations < tasks ? 1 : iterations / tasks;
        else if (!tasks)
            tasks = (rex_uint64)rex_omp_num_threads();
        if (tasks > iterations)
            tasks = iterations;
        share = tasks ? iterations / tasks : 0;
        more = tasks ? iterations % tasks : 0; /* this many tasks have one more iteration */
    }
    for (task = 0; task < tasks; ++task) {
        count = share + (task < more);
        if (count > iterations)
            count = iterations;
        iterations -= count;
        rex_task_bounds.first = own->first = first;
        rex_task_bounds.end = own->end = first += count * step;
        rex_task_copy = copy;
        rex_gomp_task(body, data, copy ? rex_copy_taskloop_data : 0, size, alignment, (flags & REX_TASK_IF) != 0,
                      flags & REX_TASK_OWN, 0, priority, 0);
    }
    if (!(flags & REX_TASK_NOGROUP))
        rex_taskgroup_end();
}

static rex_uint64 rex_iterations(int up, rex_uint64 start, rex_uint64 end, rex_uint64 step)
{
    return up ? (end - start - 1) / step + 1 : (start - end - 1) / (0 - step) + 1;
}

REX_GOMP void rex_gomp_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                                unsigned int flags, unsigned long tasks, int priority, long start, long end, long step)
    __asm__("GOMP_taskloop");
void rex_gomp_taskloop(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                       unsigned int flags, unsigned long tasks, int priority, long start, long end, long step)
{
    const int up = (flags & REX_TASK_UP) != 0, is_empty = up ? start >= end : start <= end;
    const rex_uint64 low = (rex_uint64)start, high = (rex_uint64)end;
    rex_uint64 by = (rex_uint64)step;

    if (!up && step > 0) /* gcc 12 passes a negative step as a number of the loop variable's unsigned type */
        by -= step <= 0xff ? 0x100 : step <= 0xffff ? 0x10000 : 0x100000000;
    rex_taskloop(body, data, copy, size, alignment, flags, tasks, priority, low, by,
                 is_empty ? 0 : rex_iterations(up, low, high, by));
}

REX_GOMP void rex_gomp_taskloop_unsigned(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
                                         long alignment, unsigned int flags, unsigned long tasks, int priority,
                                         rex_uint64 start, rex_uint64 end, rex_uint64 step) __asm__("GOMP_taskloop_ull");
void rex_gomp_taskloop_unsigned(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                                unsigned int flags, unsigned long tasks, int priority, rex_uint64 start, rex_uint64 end,
                                rex_uint64 step)
{
    const int up = (flags & REX_TASK_UP) != 0, is_empty = up ? start >= end : start <= end;

    rex_taskloop(body, data, copy, size, alignment, flags, tasks, priority, start, step,
                 is_empty ? 0 : rex_iterations(up, start, end, step));
}

/* ---- loops over unsigned 64-bit numbers and pointers, whose iterations the runtime distributes --------------------
 * LLVM 22 runs no iteration of loops that count down. Only a loop's first chunk is wrong; the rest it does right. */

enum { /* sched_type of LLVM's kmp.h */
    REX_SCHEDULE_STATIC = 34, /* with a chunk size: one less */
    REX_SCHEDULE_DYNAMIC = 35,
    REX_SCHEDULE_GUIDED = 36,
    REX_SCHEDULE_RUNTIME = 37,
    REX_SCHEDULE_ORDERED = 32 /* more than the same without */
};

extern void rex_dispatch_init(struct rex_location *, rex_int32, rex_int32, rex_uint64, rex_uint64, rex_int64, rex_int64)
    __asm__("__kmpc_dispatch_init_8u") __attribute__((weak));
extern int rex_dispatch_next(struct rex_location *, rex_int32, rex_int32 *, rex_uint64 *, rex_uint64 *, rex_int64 *)
    __asm__("__kmpc_dispatch_next_8u") __attribute__((weak));

static unsigned char rex_start_loop(rex_int32 schedule, int up, rex_uint64 start, rex_uint64 end, rex_uint64 step,
                                    rex_uint64 chunk, rex_uint64 *from, rex_uint64 *to)
{
    const rex_int32 thread = rex_kmp_thread(&rex_gomp_location);
    rex_int64 stride = (rex_int64)step;

    if (up ? start >= end : start <= end)
        return 0;
    rex_dispatch_init(&rex_gomp_location, thread, schedule, start, up ? end - 1 : end + 1, stride, (rex_int64)chunk);
    if (!rex_dispatch_next(&rex_gomp_location, thread, 0, from, to, &stride))
        return 0;
    *to += up ? 1 : (rex_uint64)-1;
    return 1;
}

#define REX_GOMP_LOOP(kind, schedule)                                                                                  \
    REX_GOMP unsigned char rex_gomp_##kind(unsigned char up, rex_uint64 start, rex_uint64 end, rex_uint64 step,        \
                                           rex_uint64 chunk, rex_uint64 *from, rex_uint64 *to)                         \
        __asm__("GOMP_loop_ull_" #kind "_start");                                                                      \
    unsigned char rex_gomp_##kind(unsigned char up, rex_uint64 start, rex_uint64 end, rex_uint64 step,                 \
                                  rex_uint64 chunk, rex_uint64 *from, rex_uint64 *to)                                  \
    {                                                                                                                  \
        return rex_start_loop(schedule, up, start, end, step, chunk, from, to);                                        \
    }
#define REX_GOMP_RUNTIME_LOOP(kind, schedule)                                                                          \
    REX_GOMP unsigned char rex_gomp_##kind(unsigned char up, rex_uint64 start, rex_uint64 end, rex_uint64 step,        \
                                           rex_uint64 *from, rex_uint64 *to) __asm__("GOMP_loop_ull_" #kind "_start"); \
    unsigned char rex_gomp_##kind(unsigned char up, rex_uint64 start, rex_uint64 end, rex_uint64 step,                 \
                                  rex_uint64 *from, rex_uint64 *to)                                                    \
    {                                                                                                                  \
        return rex_start_loop(schedule, up, start, end, step, 0, from, to);                                            \
    }

REX_GOMP_LOOP(static, REX_SCHEDULE_STATIC - !!chunk)
REX_GOMP_LOOP(dynamic, REX_SCHEDULE_DYNAMIC)
REX_GOMP_LOOP(guided, REX_SCHEDULE_GUIDED)
REX_GOMP_LOOP(nonmonotonic_dynamic, REX_SCHEDULE_DYNAMIC)
REX_GOMP_LOOP(nonmonotonic_guided, REX_SCHEDULE_GUIDED)
REX_GOMP_LOOP(ordered_static, REX_SCHEDULE_ORDERED + REX_SCHEDULE_STATIC - !!chunk)
REX_GOMP_LOOP(ordered_dynamic, REX_SCHEDULE_ORDERED + REX_SCHEDULE_DYNAMIC)
REX_GOMP_LOOP(ordered_guided, REX_SCHEDULE_ORDERED + REX_SCHEDULE_GUIDED)
REX_GOMP_RUNTIME_LOOP(runtime, REX_SCHEDULE_RUNTIME)
REX_GOMP_RUNTIME_LOOP(maybe_nonmonotonic_runtime, REX_SCHEDULE_RUNTIME)
REX_GOMP_RUNTIME_LOOP(nonmonotonic_runtime, REX_SCHEDULE_RUNTIME)
REX_GOMP_RUNTIME_LOOP(ordered_runtime, REX_SCHEDULE_ORDERED + REX_SCHEDULE_RUNTIME)

/* ---- loops with ordered(n) ----------------------------------------------------------------------------------------
 * LLVM 22 stops if one of the loops has no iterations. It also stops after loops over unsigned 64-bit numbers: it does not
 * end these when their iterations have run out, as it does for signed ones. Iterations are numbered from 0. */

static __thread rex_uint64 rex_doacross; /* bit n: this thread is in such an unsigned loop at nesting level n */
extern int rex_gomp_level(void) __asm__("omp_get_level") __attribute__((weak));

static rex_uint64 rex_level_bit(void)
{
    return (rex_uint64)1 << (rex_gomp_level() & 63);
}

static unsigned char rex_start_doacross(void **known, const char *name, int is_unsigned, rex_int32 schedule,
                                        unsigned int loops, const rex_uint64 *counts, rex_uint64 chunk,
                                        rex_uint64 *from, rex_uint64 *to)
{
    unsigned char (*start)(unsigned int, const rex_uint64 *, rex_uint64, rex_uint64 *, rex_uint64 *);
    unsigned char (*start_runtime)(unsigned int, const rex_uint64 *, rex_uint64 *, rex_uint64 *), found;
    unsigned int loop;

    for (loop = 0; loop < loops; ++loop)
        if (!counts[loop]) /* no iteration waits for another */
            return rex_start_loop(schedule, 1, 0, counts[0], 1, chunk, from, to);
    *(void **)&start = *(void **)&start_runtime = rex_gomp_original(known, name);
    found = schedule == REX_SCHEDULE_RUNTIME ? start_runtime(loops, counts, from, to)
                                             : start(loops, counts, chunk, from, to);
    if (is_unsigned && found)
        rex_doacross |= rex_level_bit();
    return found;
}

/* The function `signed_next` for signed loops also ends a loop with ordered(n). */
static unsigned char rex_next_unsigned(void **known, const char *signed_next, rex_uint64 *from, rex_uint64 *to)
{
    unsigned char (*next)(rex_uint64 *, rex_uint64 *);
    rex_int64 stride;

    if (rex_doacross && (rex_doacross & rex_level_bit())) {
        *(void **)&next = rex_gomp_original(known, signed_next);
        if (next(from, to))
            return 1;
        rex_doacross &= ~rex_level_bit();
        return 0;
    }
    if (!rex_dispatch_next(&rex_gomp_location, rex_kmp_thread(&rex_gomp_location), 0, from, to, &stride))
        return 0;
    *to += stride > 0 ? 1 : (rex_uint64)-1;
    return 1;
}

#define REX_GOMP_DOACROSS(kind, of, is_unsigned, schedule)                                                             \
    REX_GOMP unsigned char rex_gomp_##of##_doacross_##kind(unsigned int loops, const rex_uint64 *counts,               \
                                                          rex_uint64 chunk, rex_uint64 *from, rex_uint64 *to)          \
        __asm__("GOMP_" #of "_doacross_" #kind "_start");                                                          \
    unsigned char rex_gomp_##of##_doacross_##kind(unsigned int loops, const rex_uint64 *counts, rex_uint64 chunk,      \
                                                 rex_uint64 *from, rex_uint64 *to)                                     \
    {                                                                                                                  \
        static void *known;                                                                                            \
        return rex_start_doacross(&known, "GOMP_" #of "_doacross_" #kind "_start", is_unsigned, schedule, loops,   \
                                  counts, chunk, from, to);                                                            \
    }
#define REX_GOMP_RUNTIME_DOACROSS(of, is_unsigned)                                                                     \
    REX_GOMP unsigned char rex_gomp_##of##_doacross_runtime(unsigned int loops, const rex_uint64 *counts,              \
                                                           rex_uint64 *from, rex_uint64 *to)                           \
        __asm__("GOMP_" #of "_doacross_runtime_start");                                                            \
    unsigned char rex_gomp_##of##_doacross_runtime(unsigned int loops, const rex_uint64 *counts, rex_uint64 *from,     \
                                                  rex_uint64 *to)                                                      \
    {                                                                                                                  \
        static void *known;                                                                                            \
        return rex_start_doacross(&known, "GOMP_" #of "_doacross_runtime_start", is_unsigned, REX_SCHEDULE_RUNTIME,\
                                  loops, counts, 0, from, to);                                                         \
    }
#define REX_GOMP_NEXT(kind)                                                                                            \
    REX_GOMP unsigned char rex_gomp_next_##kind(rex_uint64 *from, rex_uint64 *to)                                      \
        __asm__("GOMP_loop_ull_" #kind "_next");                                                                       \
    unsigned char rex_gomp_next_##kind(rex_uint64 *from, rex_uint64 *to)                                               \
    {                                                                                                                  \
        static void *known;                                                                                            \
        return rex_next_unsigned(&known, "GOMP_loop_" #kind "_next", from, to);                                        \
    }

REX_GOMP_DOACROSS(static, loop, 0, REX_SCHEDULE_STATIC - !!chunk)
REX_GOMP_DOACROSS(dynamic, loop, 0, REX_SCHEDULE_DYNAMIC)
REX_GOMP_DOACROSS(guided, loop, 0, REX_SCHEDULE_GUIDED)
REX_GOMP_RUNTIME_DOACROSS(loop, 0)
REX_GOMP_DOACROSS(static, loop_ull, 1, REX_SCHEDULE_STATIC - !!chunk)
REX_GOMP_DOACROSS(dynamic, loop_ull, 1, REX_SCHEDULE_DYNAMIC)
REX_GOMP_DOACROSS(guided, loop_ull, 1, REX_SCHEDULE_GUIDED)
REX_GOMP_RUNTIME_DOACROSS(loop_ull, 1)
REX_GOMP_NEXT(static)
REX_GOMP_NEXT(dynamic)
REX_GOMP_NEXT(guided)
REX_GOMP_NEXT(runtime)

#ifdef __cplusplus
}
#endif

#endif
