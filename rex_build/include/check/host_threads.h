/* Host threads: what orders the regions that they launch. Included by runtime.c.
 *
 * Each thread of a parallel region of the host has a clock: the latest launch of each thread that is over before what this one
 * does next. Whatever orders threads hands clocks on: the begin and the end of a parallel region, barriers, critical, locks,
 * `ordered`, and each atomic access and flush. Two regions of one outermost parallel region are concurrent if the later one's
 * clock does not have the earlier one. Where threads may be ordered by other means, nothing is said of them. Tasks run at
 * once here, so they belong to the thread that has made them.
 */

enum { SLOTS = 64, EVENTS = 64 };

struct clock {
    uint32_t latest[SLOTS]; /* launches */
};

/* A parallel region that is in no other one. */
struct root {
    uint32_t number;
    uint64_t free; /* slots that no thread has had */
};

struct barrier {
    struct clock clock;
    uint32_t last_task; /* that a thread has made before it comes here */
};

struct fork {
    void (*body)(void *);
    void *data;
    struct root *root;
    struct clock at_begin, at_end;
    struct barrier barriers[2];
    uint64_t spare; /* slots that threads of earlier regions have had, which are over before this one */
    uint64_t used;
};

struct host_thread {
    struct clock clock;
    struct fork *fork;
    unsigned int slot, barriers; /* slot 0: there were too many threads, and this one is not compared */
    uint64_t spare;
    uint64_t pending; /* events whose clocks are to be taken over */
    int in_sections;  /* a section is what another thread could have run at the same time */
    unsigned int own_slot;
    struct clock before_sections, after_sections;
};

static pthread_mutex_t clock_lock = PTHREAD_MUTEX_INITIALIZER;
static struct clock events[EVENTS]; /* of locks and atomic variables, by their addresses */
static uint32_t root_count;
static struct host_thread *launch_hosts[KNOWN_LAUNCHES];

/* With the lock held, as the next ones. */
static void take_over(struct clock *clock, const struct clock *from)
{
    for (int i = 0; i < SLOTS; ++i)
        if (clock->latest[i] < from->latest[i])
            clock->latest[i] = from->latest[i];
}

static void take_over_events(struct host_thread *thread)
{
    for (; thread->pending; thread->pending &= thread->pending - 1)
        take_over(&thread->clock, &events[__builtin_ctzll(thread->pending)]);
}

static unsigned int take_slot(struct fork *fork)
{
    uint64_t *const from = fork->spare ? &fork->spare : &fork->root->free;
    const unsigned int slot = *from ? (unsigned int)__builtin_ctzll(*from) : 0;
    *from &= *from - !!*from;
    fork->used |= (uint64_t)!!slot << slot;
    return slot;
}

static inline unsigned int event_of(const void *address)
{
    return (unsigned int)((uintptr_t)address >> 2 ^ (uintptr_t)address >> 12) % EVENTS;
}

static inline uint64_t bit_of(const void *address)
{
    return (uint64_t)1 << event_of(address);
}

/* The thread may hand something on here, or get something. What it gets is taken over later: an atomic read that is about
 * to be made may see what is written until then. */
static SLOW void orders(const void *address)
{
    struct host_thread *const thread = self.host;
    struct clock *const event = &events[event_of(address)];
    pthread_mutex_lock(&clock_lock);
    take_over_events(thread);
    take_over(event, &thread->clock);
    pthread_mutex_unlock(&clock_lock);
    thread->pending |= bit_of(address);
}

static inline int is_ordering(void)
{
    return self.host && !self.in_device && !self.in_runtime;
}

/* A region is launched. Its number is its time. */
static void host_launches(uint32_t launch)
{
    struct host_thread *const thread = self.host;
    launch_hosts[launch % KNOWN_LAUNCHES] = thread;
    if (!thread)
        return;
    pthread_mutex_lock(&clock_lock);
    take_over_events(thread);
    thread->clock.latest[thread->slot] = thread->slot ? launch : 0;
    pthread_mutex_unlock(&clock_lock);
}

/* ---- order that is not seen here --------------------------------------------------------------------------------------------- */

/* Whether a function orders threads in a way that is not seen here. */
static int orders_unseen(const char *name)
{
    static const char *const others[] = {
        "pthread_create", "pthread_join", "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_",
        "pthread_once", "pthread_kill", "sem_", "mtx_", "cnd_", "thrd_", "call_once", "syscall", "pipe", "socket", "eventfd",
        "signalfd", "sigwait", "sigsuspend", "semop", "mq_", "msgrcv", "omp_fulfill_event", "omp_free", "omp_realloc", "_ZNSt6thread", "_ZNSt18condition_variable",
        "_ZNSt22condition_variable", "_ZNSt13__future", "_ZNSt28__atomic_futex", "_ZNSt15__future", "_ZNSt3_V2"};
    static const char *const harmless[] = {"GOMP_loop_", "GOMP_sections_", "GOMP_single_start", "GOMP_taskyield", "GOMP_task_reduction",
                                           "GOMP_taskgroup_reduction", "GOMP_alloc", "GOMP_free", "GOMP_warning", "GOMP_error",
                                           "GOMP_scope_start", "GOMP_workshare_task_reduction",
                                           "__kmpc_dispatch_", "__kmpc_global_thread_num", "__kmpc_task_allow_completion_event"};
    Dl_info mine, info;
    void *function;
    size_t i;
    for (i = 0; i < sizeof(others) / sizeof(*others); ++i)
        if (!strncmp(name, others[i], strlen(others[i])))
            return 1;
    if (strncmp(name, "GOMP_", 5) && strncmp(name, "__kmpc_", 7))
        return 0;
    function = dlsym(RTLD_DEFAULT, name);
    if (function && dladdr(function, &info) && dladdr((void *)&orders_unseen, &mine) && info.dli_fbase == mine.dli_fbase)
        return 0;
    for (i = 0; i < sizeof(harmless) / sizeof(*harmless); ++i)
        if (!strncmp(name, harmless[i], strlen(harmless[i])))
            return strstr(name, "cancel") || (strstr(name, "_end") && !strstr(name, "_end_nowait"));
    return 1;
}

/* An object that the program consists of, as the dynamic linker has it. */
struct object {
    const ElfW(Sym) *symbols;
    const char *names;
    const uint32_t *hash;
};

static int is_other_import(const struct object *object, size_t number)
{
    return object->symbols[number].st_shndx == SHN_UNDEF && orders_unseen(object->names + object->symbols[number].st_name);
}

static int has_other_imports(const struct object *object)
{
    const uint32_t buckets = object->hash[0], first = object->hash[1];
    const uint32_t *const bucket = object->hash + 4 + 2 * object->hash[2], *const chain = bucket + buckets;
    size_t i, last = 0, end = first;
    for (i = 0; i < buckets; ++i)
        last = bucket[i] > last ? bucket[i] : last;
    if (last >= first) {
        while (!(chain[last - first] & 1))
            ++last;
        end = last + 1;
    }
    for (i = 1; i < end; ++i)
        if (is_other_import(object, i))
            return 1;
    return 0;
}

/* Looks at what the program, and each library of others that it is linked with, imports. The program comes first. */
static int look_at_imports(struct dl_phdr_info *info, size_t size, void *result)
{
    static const char *const known[] = {"libc.", "libm.", "libstdc++.", "libgcc_s.", "libomp", "libpthread.", "libdl.", "librt.",
                                        "libgomp.", "ld-linux", "linux-vdso"};
    static char needed[4096];
    const int is_first = !needed[0];
    const char *base = strrchr(info->dlpi_name, '/');
    const ElfW(Dyn) *dynamic = NULL, *d;
    struct object object = {0};
    size_t i, length = 0;
    char entry[260];
    (void)size;
    base = base ? base + 1 : info->dlpi_name;
    for (i = 0; !is_first && i < sizeof(known) / sizeof(*known); ++i)
        if (!strncmp(base, known[i], strlen(known[i])))
            return 0;
    snprintf(entry, sizeof(entry), "/%s/", base);
    if (!is_first && !strstr(needed, entry))
        return 0;
    for (i = 0; i < info->dlpi_phnum; ++i) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)&root_count - begin < info->dlpi_phdr[i].p_memsz)
            return 0; /* this library */
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)begin;
    }
    for (d = dynamic; d && d->d_tag != DT_NULL; ++d) {
        const uintptr_t address = d->d_un.d_ptr < info->dlpi_addr ? info->dlpi_addr + d->d_un.d_ptr : d->d_un.d_ptr;
        object.symbols = d->d_tag == DT_SYMTAB ? (const void *)address : object.symbols;
        object.names = d->d_tag == DT_STRTAB ? (const void *)address : object.names;
        object.hash = d->d_tag == DT_GNU_HASH ? (const void *)address : object.hash;
    }
    needed[0] = '/';
    for (d = dynamic; is_first && d && object.names && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_NEEDED && length < sizeof(needed) - sizeof(entry))
            length += (size_t)snprintf(needed + length, sizeof(needed) - length, "/%s/", object.names + d->d_un.d_val);
    *(int *)result |= !object.symbols || !object.names || !object.hash || has_other_imports(&object);
    return 0;
}

/* Whether all that orders the program's threads is seen. */
static SLOW int is_order_seen(void)
{
    static int known; /* 1: yes, 2: no */
    if (!known) {
        int is_unseen = 0;
        dl_iterate_phdr(look_at_imports, &is_unseen);
        known = is_unseen ? 2 : 1;
    }
    return known == 1 && !has_free_tasks && !has_events && interval_count < INTERVALS; /* the last: each number means one interval */
}

/* Whether an interval of another launch is unordered with the present one. */
static inline int is_of_other_thread(const struct interval *other)
{
    const struct host_thread *const thread = self.host;
    return thread && other->slot && other->root == thread->fork->root->number && thread->clock.latest[other->slot] < other->launch
           && is_order_seen();
}

/* ---- parallel regions of the host ------------------------------------------------------------------------------------------------ */

static void host_stack_ends(void *frame);
static void forget_order(const char *begin, const char *end);

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
static const char unnamed_critical[8], atomics[8], fences[8];
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
