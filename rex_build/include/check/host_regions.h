/* What the host's code calls of the OpenMP runtime in parallel regions, and what that orders. Included by runtime.c. */

/* ---- parallel regions of the host ------------------------------------------------------------------------------------------------ */

static void run_thread(void *data)
{
    struct fork *const fork = data;
    struct host_thread me, *const before = self.host;
    real_memset(&me, 0, sizeof(me));
    me.fork = fork;
    pthread_mutex_lock(&clock_lock);
    me.clock = fork->at_begin;
    me.slot = take_slot(fork);
    pthread_mutex_unlock(&clock_lock);
    self.host = &me;
    fork->body(fork->data);
    host_stack_ends(__builtin_frame_address(0));
    pthread_mutex_lock(&clock_lock);
    take_over_events(&me);
    take_over(&fork->at_end, &me.clock);
    fork->used |= me.spare;
    pthread_mutex_unlock(&clock_lock);
    self.host = before;
}

static void begin_fork(struct fork *fork, struct root *root, void (*body)(void *), void *data)
{
    struct host_thread *const parent = self.host;
    real_memset(fork, 0, sizeof(*fork));
    fork->body = body;
    fork->data = data;
    fork->root = parent ? parent->fork->root : root;
    *root = (struct root){__atomic_add_fetch(&root_count, 1, __ATOMIC_RELAXED), ~(uint64_t)1};
    if (!parent)
        return;
    pthread_mutex_lock(&clock_lock);
    take_over_events(parent);
    fork->at_begin = parent->clock;
    fork->spare = parent->spare;
    parent->spare = 0;
    pthread_mutex_unlock(&clock_lock);
}

static void end_fork(const struct fork *fork)
{
    struct host_thread *const parent = self.host;
    if (!parent) {
        forget_order(NULL, (char *)UINTPTR_MAX);
        return;
    }
    pthread_mutex_lock(&clock_lock);
    take_over(&parent->clock, &fork->at_end);
    parent->spare |= fork->used | fork->spare;
    pthread_mutex_unlock(&clock_lock);
}

#define PARALLEL(name, parameters, arguments)                                                                                 \
    EXPORT void name parameters                                                                                               \
    {                                                                                                                         \
        const int is_host = is_active && !self.in_device && !self.in_runtime;                                                 \
        const uint32_t begin = task_count;                                                                                    \
        struct fork fork;                                                                                                     \
        struct root root;                                                                                                     \
        ORIGINAL(name);                                                                                                       \
        if (is_host) {                                                                                                        \
            begin_fork(&fork, &root, body, data);                                                                             \
            body = run_thread;                                                                                                \
            data = &fork;                                                                                                     \
        }                                                                                                                     \
        real arguments;                                                                                                       \
        if (is_host) {                                                                                                        \
            end_fork(&fork);                                                                                                  \
            wait_for(~(uint64_t)0, begin, UINT32_MAX);                                                                        \
        }                                                                                                                     \
    }
#define PARALLEL_LOOP(kind)                                                                                                   \
    PARALLEL(GOMP_parallel_loop_##kind,                                                                                 \
             (void (*body)(void *), void *data, unsigned int threads, long first, long end, long step, long chunk,            \
              unsigned int flags),                                                                                            \
             (body, data, threads, first, end, step, chunk, flags))
#define PARALLEL_RUNTIME_LOOP(kind)                                                                                           \
    PARALLEL(GOMP_parallel_loop_##kind,                                                                                 \
             (void (*body)(void *), void *data, unsigned int threads, long first, long end, long step, unsigned int flags),   \
             (body, data, threads, first, end, step, flags))
PARALLEL(GOMP_parallel, (void (*body)(void *), void *data, unsigned int threads, unsigned int flags),
         (body, data, threads, flags))
PARALLEL(GOMP_parallel_sections, (void (*body)(void *), void *data, unsigned int threads, unsigned int count, unsigned int flags),
         (body, data, threads, count, flags))
PARALLEL_LOOP(static)
PARALLEL_LOOP(dynamic)
PARALLEL_LOOP(guided)
PARALLEL_LOOP(nonmonotonic_dynamic)
PARALLEL_LOOP(nonmonotonic_guided)
PARALLEL_RUNTIME_LOOP(runtime)
PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

/* ---- barriers, sections, locks ----------------------------------------------------------------------------------------------------- */

static struct barrier *come_to_barrier(void)
{
    struct host_thread *const thread = self.host;
    struct barrier *barrier;
    if (!is_ordering())
        return NULL;
    barrier = &thread->fork->barriers[thread->barriers++ & 1]; /* others may be at the next one, and not at the one after it */
    pthread_mutex_lock(&clock_lock);
    take_over_events(thread);
    take_over(&barrier->clock, &thread->clock);
    barrier->last_task = task_count;
    pthread_mutex_unlock(&clock_lock);
    return barrier;
}

static void leave_barrier(const struct barrier *barrier)
{
    if (!barrier)
        return;
    pthread_mutex_lock(&clock_lock);
    take_over(&self.host->clock, &barrier->clock);
    pthread_mutex_unlock(&clock_lock);
    wait_for(~(uint64_t)0, 0, barrier->last_task);
}

#define BARRIER(name)                                                                                                         \
    EXPORT void name(void)                                                                                                    \
    {                                                                                                                         \
        struct barrier *barrier;                                                                                              \
        ORIGINAL(name);                                                                                                       \
        barrier = come_to_barrier();                                                                                          \
        real();                                                                                                               \
        leave_barrier(barrier);                                                                                               \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)

/* The next section of this thread, or none any more. */
static unsigned int next_section(unsigned int section)
{
    struct host_thread *const thread = self.host;
    if (!is_ordering() || (!section && !thread->in_sections))
        return section;
    pthread_mutex_lock(&clock_lock);
    take_over_events(thread);
    if (!thread->in_sections) {
        thread->before_sections = thread->after_sections = thread->clock;
        thread->own_slot = thread->slot;
        thread->in_sections = 1;
    } else {
        take_over(&thread->after_sections, &thread->clock);
        if (section) {
            thread->clock = thread->before_sections;
            thread->slot = take_slot(thread->fork);
        } else {
            thread->clock = thread->after_sections;
            thread->slot = thread->own_slot;
            thread->in_sections = 0;
        }
    }
    pthread_mutex_unlock(&clock_lock);
    return section;
}

EXPORT unsigned int GOMP_sections_start(unsigned int count)
{
    ORIGINAL(GOMP_sections_start);
    return next_section(real(count));
}

EXPORT unsigned int GOMP_sections_next(void)
{
    ORIGINAL(GOMP_sections_next);
    return next_section(real());
}

BARRIER(GOMP_sections_end)

/* Locks keep tasks apart, too, which no clock orders. */
static void has_lock(const void *address)
{
    if (self.in_device || self.in_runtime)
        return;
    if (held_count < MAX_HELD)
        held[held_count++] = address;
    self.held |= bit_of(address);
    if (self.host)
        orders(address);
}

static void leaves_lock(const void *address)
{
    int i, last = -1;
    if (self.in_device || self.in_runtime)
        return;
    if (self.host)
        orders(address);
    self.held = 0;
    for (i = held_before; i < held_count; ++i)
        if (held[i] == address)
            last = i;
    if (last >= 0)
        held[last] = held[--held_count];
    for (i = held_before; i < held_count; ++i)
        self.held |= bit_of(held[i]);
}

#define LOCKS(name, parameters, arguments, address)                                                                           \
    EXPORT void name parameters                                                                                               \
    {                                                                                                                         \
        ORIGINAL(name);                                                                                                       \
        real arguments;                                                                                                       \
        has_lock(address);                                                                                                    \
    }
#define UNLOCKS(name, parameters, arguments, address)                                                                         \
    EXPORT void name parameters                                                                                               \
    {                                                                                                                         \
        ORIGINAL(name);                                                                                                       \
        leaves_lock(address);                                                                                                 \
        real arguments;                                                                                                       \
    }
#define TESTS(name)                                                                                                           \
    EXPORT int name(void *lock)                                                                                               \
    {                                                                                                                         \
        int result;                                                                                                           \
        ORIGINAL(name);                                                                                                       \
        result = real(lock);                                                                                                  \
        if (result)                                                                                                           \
            has_lock(lock);                                                                                                   \
        return result;                                                                                                        \
    }
static const char unnamed_critical[8], atomics[8];
LOCKS(GOMP_critical_start, (void), (), unnamed_critical)
UNLOCKS(GOMP_critical_end, (void), (), unnamed_critical)
LOCKS(GOMP_critical_name_start, (void **name), (name), name)
UNLOCKS(GOMP_critical_name_end, (void **name), (name), name)
LOCKS(GOMP_atomic_start, (void), (), atomics)
UNLOCKS(GOMP_atomic_end, (void), (), atomics)
LOCKS(omp_set_lock, (void *lock), (lock), lock)
UNLOCKS(omp_unset_lock, (void *lock), (lock), lock)
LOCKS(omp_set_nest_lock, (void *lock), (lock), lock)
UNLOCKS(omp_unset_nest_lock, (void *lock), (lock), lock)
TESTS(omp_test_lock)
TESTS(omp_test_nest_lock)

/* What hands something on before, and gets something after a call. */
#define ORDERS(type, name, parameters, arguments, address, result)                                                            \
    EXPORT type name parameters                                                                                               \
    {                                                                                                                         \
        ORIGINAL(name);                                                                                                       \
        if (is_ordering())                                                                                                    \
            orders(address);                                                                                                  \
        result real arguments;                                                                                                \
    }
ORDERS(void, GOMP_ordered_start, (void), (), self.host->fork, )
ORDERS(void, GOMP_ordered_end, (void), (), self.host->fork, )
ORDERS(void *, GOMP_single_copy_start, (void), (), self.host->fork, return)
ORDERS(void, GOMP_single_copy_end, (void *data), (data), self.host->fork, )
/* The first use of a static variable of a C++ function. */
ORDERS(int, __cxa_guard_acquire, (int64_t *guard), (guard), guard, return)
ORDERS(void, __cxa_guard_release, (int64_t *guard), (guard), guard, )

/* A task asks for the thread's own copies of what it reduces. Tasks that had them before have run on the same thread, so nothing
 * that these did runs beside it. */
EXPORT void GOMP_task_reduction_remap(size_t count, size_t originals, void **pointers)
{
    ORIGINAL(GOMP_task_reduction_remap);
    real(count, originals, pointers);
    for (size_t i = 0; i < count && is_active; ++i) {
        const uintptr_t copy = (uintptr_t)pointers[i];
        int kept = 0;
        pthread_mutex_lock(&lock);
        for (int k = 0; k < transfer_count; ++k)
            if (copy < transfers[k].begin || copy >= transfers[k].end)
                transfers[kept++] = transfers[k];
        transfer_count = kept;
        pthread_mutex_unlock(&lock);
        forget_order(pointers[i], (char *)pointers[i] + 1);
    }
}
