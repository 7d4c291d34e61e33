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
