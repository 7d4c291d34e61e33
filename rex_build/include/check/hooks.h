/* What is called from outside: by instrumented code, by the device library, and in place of libomptarget and the C library.
 * Included by runtime.c. */

/* ---- call-backs of -fsanitize=thread --------------------------------------------------------------------------------- */

EXPORT void __tsan_init(void) {}
EXPORT void __tsan_func_exit(void) {}

/* Stack that a function begins to use does not hold what was known of it. */
EXPORT void __tsan_func_entry(void *caller)
{
    (void)caller;
    if (UNLIKELY(stack_residues) && !self.in_device) {
        char *const low = (char *)__builtin_frame_address(0) - 4096, *const high = __builtin_frame_address(1);
        if (high > low && high - low < (1 << 20))
            host_memory_ends(low, (size_t)(high - low), NULL);
    }
}

#define ACCESS(size)                                                                                                          \
    EXPORT void __tsan_read##size(void *address) { access_memory(address, size, 0, 0, CALLER); }                              \
    EXPORT void __tsan_write##size(void *address) { access_memory(address, size, 1, 0, CALLER); }                             \
    EXPORT void __tsan_unaligned_read##size(void *address) { access_memory(address, size, 0, 0, CALLER); }                    \
    EXPORT void __tsan_unaligned_write##size(void *address) { access_memory(address, size, 1, 0, CALLER); }                   \
    EXPORT void __tsan_volatile_read##size(void *address) { access_memory(address, size, 0, 1, CALLER); }                     \
    EXPORT void __tsan_volatile_write##size(void *address) { access_memory(address, size, 1, 1, CALLER); }                    \
    EXPORT void __tsan_unaligned_volatile_read##size(void *address) { access_memory(address, size, 0, 1, CALLER); }           \
    EXPORT void __tsan_unaligned_volatile_write##size(void *address) { access_memory(address, size, 1, 1, CALLER); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

EXPORT void __tsan_read_range(void *address, size_t size)
{
    if (size)
        access_memory(address, size, 0, 0, CALLER);
}
EXPORT void __tsan_write_range(void *address, size_t size)
{
    if (size)
        access_memory(address, size, 1, 0, CALLER);
}
EXPORT void __tsan_vptr_update(void **address, void *value)
{
    (void)value;
    access_memory(address, sizeof(*address), 1, 0, CALLER);
}

#define ATOMICS(bits, type)                                                                                                   \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *a, int order)                                                 \
    {                                                                                                                         \
        (void)order;                                                                                                          \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                                          \
    }                                                                                                                         \
    EXPORT void __tsan_atomic##bits##_store(volatile type *a, type v, int order)                                              \
    {                                                                                                                         \
        (void)order;                                                                                                          \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                             \
    }                                                                                                                         \
    EXPORT type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order)                                           \
    {                                                                                                                         \
        (void)order;                                                                                                          \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                         \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int order, int failure)       \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        return __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                   \
    }                                                                                                                         \
    EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int order, int failure)         \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        return __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                   \
    }                                                                                                                         \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int order, int failure)          \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                         \
        return c;                                                                                                             \
    }                                                                                                                         \
    FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) FETCH(bits, type, xor)         \
    FETCH(bits, type, nand)
#define FETCH(bits, type, operation)                                                                                          \
    EXPORT type __tsan_atomic##bits##_fetch_##operation(volatile type *a, type v, int order)                                  \
    {                                                                                                                         \
        (void)order;                                                                                                          \
        access_memory((const void *)a, sizeof(type), 0, 1, CALLER);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, CALLER);                                                           \
        return __atomic_fetch_##operation(a, v, __ATOMIC_SEQ_CST);                                                            \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
EXPORT void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    if (is_ordering())
        orders(fences);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- the C library ------------------------------------------------------------------------------------------------------ */

static void find_originals(void)
{
    *(void **)&real_memset = dlsym(RTLD_NEXT, "memset");
    *(void **)&real_memmove = dlsym(RTLD_NEXT, "memmove");
    *(void **)&real_memcpy = dlsym(RTLD_NEXT, "memcpy");
}

static inline void copies(void *to, const void *from, size_t size, const char *caller)
{
    if (LIKELY(!is_active) || !size)
        return;
    if (is_in(caller, &runtime_library)) {
        runtime_copies(to, from, size);
    } else if (!self.in_runtime) {
        access_memory(from, size, 0, 0, caller);
        access_memory(to, size, 1, 0, caller);
    }
}

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    if (UNLIKELY(!real_memcpy)) {
        size_t i;
        for (i = 0; i < size; ++i)
            ((volatile char *)to)[i] = ((const char *)from)[i];
        return to;
    }
    copies(to, from, size, CALLER);
    return real_memcpy(to, from, size);
}

EXPORT void *memmove(void *to, const void *from, size_t size)
{
    if (UNLIKELY(!real_memmove))
        find_originals();
    copies(to, from, size, CALLER);
    return real_memmove(to, from, size);
}

EXPORT void *memset(void *to, int value, size_t size)
{
    if (UNLIKELY(!real_memset)) {
        size_t i;
        for (i = 0; i < size; ++i)
            ((volatile char *)to)[i] = (char)value;
        return to;
    }
    if (UNLIKELY(is_active) && size && !self.in_runtime)
        access_memory(to, size, 1, 0, CALLER);
    else if (UNLIKELY(is_active) && size && is_in(CALLER, &runtime_library))
        runtime_sets(to, size);
    return real_memset(to, value, size);
}

/* ---- the device library -------------------------------------------------------------------------------------------------- */

static __thread uintptr_t begin_of_stack;

static uintptr_t end_of_stack(void)
{
    enum { MOST = 64 << 20 };
    static __thread uintptr_t high;
    if (!high) {
        pthread_attr_t attributes;
        void *stack = NULL;
        size_t size = 0;
        if (!pthread_getattr_np(pthread_self(), &attributes)) {
            pthread_attr_getstack(&attributes, &stack, &size);
            pthread_attr_destroy(&attributes);
        }
        high = (uintptr_t)stack + size;
        begin_of_stack = size > MOST ? high - MOST : (uintptr_t)stack;
    }
    return high;
}

/* A thread of a parallel region ends: what its functions had on the stack is not there any more. */
static void host_stack_ends(void *frame)
{
    (void)end_of_stack();
    forget_order((char *)begin_of_stack, frame);
}

/* What a construct does to the mapped data is one step for other threads, as libomptarget's tables have it: nobody sees a
 * block between libomptarget's release and ours, or a count before its copy. A region runs without this lock, so regions of
 * several threads run at the same time, and may use barriers and tasks. With the lock held nothing is waited for that the
 * program does: the copies are plain ones. It orders nothing for the checks, which know no order but the program's. */
static pthread_mutex_t construct_lock = PTHREAD_MUTEX_INITIALIZER;

static void begin_exclusive(void)
{
    if (!self.exclusive++)
        pthread_mutex_lock(&construct_lock);
    if (only_mapper != &self)
        only_mapper = only_mapper ? &several_mappers : &self;
}

static void end_exclusive(void)
{
    if (!--self.exclusive)
        pthread_mutex_unlock(&construct_lock);
}

static __thread int launch_slot = -1;
static __thread struct block *stack_of_thread;

/* The part of the thread's stack below `frame` is its own. Other threads may use the part above, up to its end or to the
 * frame of the launch. */
static void own_stack(char *frame)
{
    const uintptr_t high = end_of_stack(), low = begin_of_stack;
    self.stack = (char *)low;
    self.stack_size = (uintptr_t)frame > low ? (uintptr_t)frame - low : 0;
    if (!stack_of_thread) {
        struct block *block = new_block(STACK, (char *)low, high - low);
        stack_of_thread = block;
        pthread_mutex_lock(&lock);
        insert(&stack_tree, &block->on_device);
        pthread_mutex_unlock(&lock);
    }
}

/* A new interval of a team, in which no other access was made yet. */
EXPORT uint32_t rex_check_interval(uint32_t team)
{
    const struct host_thread *const host = launch_hosts[current_launch % KNOWN_LAUNCHES];
    uint32_t number = __atomic_fetch_add(&interval_count, 1, __ATOMIC_RELAXED) & (INTERVALS - 1);
    if (!number)
        number = __atomic_fetch_add(&interval_count, 1, __ATOMIC_RELAXED) & (INTERVALS - 1);
    if (is_active)
        intervals[number] = (struct interval){current_launch, team, launch_tasks[current_launch % KNOWN_LAUNCHES],
                                              host ? host->fork->root->number : 0, host ? host->slot : 0,
                                              launch_held[current_launch % KNOWN_LAUNCHES]};
    return number;
}

/* A team that no other number means. */
EXPORT uint32_t rex_check_new_team(void)
{
    static uint32_t count;
    return 0x40000000u + __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % 0x40000000u;
}

EXPORT uint32_t rex_check_launch(void)
{
    return current_launch;
}

/* A kernel begins, on the thread that launches it. */
EXPORT void rex_check_kernel(void)
{
    /* What lies above the frame of the call is the host's. */
    const uintptr_t frame = (uintptr_t)(self.call ? (void *)(self.call + 1) : __builtin_frame_address(0));
    int slot;
    if (!is_active)
        return;
    current_launch = __atomic_add_fetch(&launch_count, 1, __ATOMIC_RELAXED);
    launch_tasks[current_launch % KNOWN_LAUNCHES] = current_task;
    host_launches(current_launch);
    launch_held[current_launch % KNOWN_LAUNCHES] = self.held;
    launch_places[current_launch % KNOWN_LAUNCHES] = self.call && self.call->location ? self.call->location->source : NULL;
    launch_calls[current_launch % KNOWN_LAUNCHES] = self.call;
    if (self.call) {
        ++self.in_runtime;
        begin_call(self.call);
        --self.in_runtime;
        pthread_mutex_unlock(&construct_lock);
    }
    for (slot = 0; slot < LAUNCHES; ++slot) {
        uintptr_t expected = 0;
        if (__atomic_compare_exchange_n(&launches[slot].low, &expected, frame, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            launches[slot].high = end_of_stack();
            launch_slot = slot;
            break;
        }
    }
    own_stack((char *)frame);
}

EXPORT void rex_check_kernel_end(void)
{
    if (!is_active)
        return;
    launch_calls[current_launch % KNOWN_LAUNCHES] = NULL;
    if (launch_slot >= 0)
        __atomic_store_n(&launches[launch_slot].low, 0, __ATOMIC_SEQ_CST);
    launch_slot = -1;
    if (self.call)
        pthread_mutex_lock(&construct_lock);
}

struct saved {
    uint64_t who, stack, stack_size, host;
    uint32_t loop, locks, launch, team;
    int in_device, in_runtime;
    uint16_t lock;
    uint8_t uses_number, is_fenced, over_teams;
};
_Static_assert(sizeof(struct saved) <= 64, "rex_check.h reserves this much");

/* The calling thread begins to run device code as thread number `thread` of an interval. */
EXPORT void rex_check_enter(void *room, void *frame, uint32_t launch, uint32_t interval, uint32_t thread)
{
    struct saved *const saved = room;
    saved->who = self.who;
    saved->stack = (uint64_t)(uintptr_t)self.stack;
    saved->stack_size = self.stack_size;
    saved->host = (uint64_t)(uintptr_t)self.host;
    saved->loop = self.loop;
    saved->locks = self.locks;
    saved->launch = current_launch;
    saved->in_device = self.in_device;
    saved->in_runtime = self.in_runtime;
    saved->lock = self.lock;
    saved->uses_number = self.uses_number;
    saved->is_fenced = self.is_fenced;
    saved->over_teams = self.over_teams;
    current_launch = launch;
    self.host = launch_hosts[launch % KNOWN_LAUNCHES];
    self.who = (who)interval << INTERVAL_SHIFT
               | (who)(thread & ((1 << THREAD_BITS) - 1)) << (ITERATION_BITS + LOOP_BITS);
    self.loop = self.locks = 0;
    self.lock = 0;
    self.uses_number = self.is_fenced = self.over_teams = 0;
    self.in_runtime = 0;
    self.in_device = 1;
    if (is_active)
        own_stack(frame);
}

EXPORT void rex_check_leave(const void *room)
{
    const struct saved *const saved = room;
    self.who = saved->who;
    self.stack = (char *)(uintptr_t)saved->stack;
    self.stack_size = saved->stack_size;
    self.host = (struct host_thread *)(uintptr_t)saved->host;
    self.loop = saved->loop;
    self.locks = saved->locks;
    current_launch = saved->launch;
    self.in_runtime = saved->in_runtime;
    self.lock = saved->lock;
    self.uses_number = saved->uses_number;
    self.is_fenced = saved->is_fenced;
    self.over_teams = saved->over_teams;
    __atomic_fetch_add(&device_accesses, self.accesses, __ATOMIC_RELAXED);
    self.accesses = 0;
    self.in_device = saved->in_device;
}

/* The calling thread goes on in another interval. */
EXPORT void rex_check_go_on(uint32_t interval)
{
    self.who = (self.who & (((who)1 << INTERVAL_SHIFT) - 1)) | (who)interval << INTERVAL_SHIFT;
    self.is_fenced = 0;
}

/* Where the threads of a region wait for each other. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all;
    const char *caller; /* of the first thread that waits */
    uint32_t threads, team, arrived, parted, phase, interval;
};
_Static_assert(sizeof(struct meeting) <= 128, "rex_check.h reserves this much");

/* A barrier that is not reached by all threads, or threads that meet at different ones. */
static SLOW void report_barrier(const char *caller, const char *other)
{
    char at[320];
    struct place here, there;
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    here = place_of(caller);
    spell_like(&here, current_directive());
    if (other) {
        there = place_of(other);
        spell_like(&there, current_directive());
        if (there.line == here.line && !strcmp(there.file, here.file)) { /* the same one in two copies of its function */
            pthread_mutex_unlock(&report_lock);
            return;
        }
        if (there.line > here.line) {
            const struct place place = here;
            here = there, there = place;
        }
    }
    snprintf(at, sizeof(at), "%s:%d", here.file, here.line);
    finding = new_finding("barrier", (void *)text_number(at), NULL, NULL);
    if (finding) {
        finding->at = here;
        if (other) {
            finding->message = text("some threads wait here while others of their team wait at another barrier");
            place_in_text(at, sizeof(at), &there);
            note(finding, text("the others wait at %s", at));
            concerns(finding, &there);
        } else {
            finding->message = text("some threads of a team wait here, and others leave the parallel region without it");
        }
        if (current_directive())
            note_directive(finding, "the region is here", current_directive());
        finding->help = text("let all threads come to the barrier, or none: conditions around it must not differ between threads");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* With the meeting's lock held. Threads that have parted do not come any more, so nobody waits for them. */
static void meet(struct meeting *meeting)
{
    if (!meeting->arrived || meeting->arrived + meeting->parted < meeting->threads)
        return;
    if (meeting->parted && is_active)
        report_barrier(meeting->caller, NULL);
    meeting->interval = rex_check_interval(meeting->team);
    meeting->arrived = 0;
    ++meeting->phase;
    pthread_cond_broadcast(&meeting->all);
}

EXPORT void rex_check_join(void *room, uint32_t threads, uint32_t team)
{
    self.meeting = room;
    pthread_mutex_lock(&self.meeting->lock);
    self.meeting->threads = threads;
    self.meeting->team = team;
    pthread_mutex_unlock(&self.meeting->lock);
}

EXPORT void rex_check_barrier(void)
{
    struct meeting *const meeting = self.meeting;
    uint32_t phase;
    pthread_mutex_lock(&meeting->lock);
    phase = meeting->phase;
    if (!meeting->arrived++)
        meeting->caller = CALLER;
    else if (meeting->caller != CALLER && is_active)
        report_barrier(CALLER, meeting->caller);
    meet(meeting);
    while (meeting->phase == phase)
        pthread_cond_wait(&meeting->all, &meeting->lock);
    rex_check_go_on(meeting->interval);
    pthread_mutex_unlock(&meeting->lock);
}

EXPORT void rex_check_part(void)
{
    struct meeting *const meeting = self.meeting;
    pthread_mutex_lock(&meeting->lock);
    ++meeting->parted;
    meet(meeting);
    pthread_mutex_unlock(&meeting->lock);
}

EXPORT void rex_check_iteration(long long number)
{
    const who mask = ((who)1 << ITERATION_BITS) - 1;
    self.who = (self.who & ~mask) | (number < 0 ? 0 : (who)number % mask + 1);
}

EXPORT void rex_check_loop(int over_teams)
{
    const who mask = (((who)1 << LOOP_BITS) - 1) << ITERATION_BITS;
    self.over_teams = (uint8_t)over_teams;
    self.loop = (self.loop + 1) & ((1 << LOOP_BITS) - 1);
    self.who = (self.who & ~mask) | (who)self.loop << ITERATION_BITS;
}

/* Whether the thread has asked for its number or its team's since it began; sets it. */
EXPORT int rex_check_uses_number(int set)
{
    const int before = self.uses_number;
    self.uses_number = (uint8_t)set;
    return before;
}

EXPORT void rex_check_acquired(const void *address, int of_all_teams)
{
    const uint16_t number = ((uintptr_t)address >> 2 ^ (uintptr_t)address >> 18) & SEVERAL_LOCKS;
    self.lock = ++self.locks > 1 ? SEVERAL_LOCKS : number && number < SEVERAL_LOCKS ? number : 1;
    if (of_all_teams)
        self.lock |= OF_ALL_TEAMS;
}

EXPORT void rex_check_released(void)
{
    if (self.locks && --self.locks == 0)
        self.lock = 0;
}

/* A flush: what follows may be ordered in a way that is not seen here. */
EXPORT void rex_check_fenced(void) { self.is_fenced = 1; }

EXPORT void rex_check_packs(const volatile void *scalar, uint64_t size)
{
    (void)size;
    packed[packed_count++ % MAX_PACKED] = (const char *)(uintptr_t)scalar;
}

/* Where the threads of the present region have their own copy of a variable. */
EXPORT void *rex_check_changed(void *value, uint64_t size, const char *name)
{
    struct call *const call = launch_calls[current_launch % KNOWN_LAUNCHES];
    struct block *block;
    int32_t row;
    if (!is_active || !call)
        return value;
    pthread_mutex_lock(&lock);
    for (block = call->changed; block && !names_variable(block->name, name);)
        block = block->sibling;
    for (row = 0; !block && call->names && row < call->count; ++row)
        if ((call->types[row] & ROW_IMPLICIT) && (call->types[row] & (ROW_LITERAL | ROW_PRIVATE)) && call->sizes[row] == (int64_t)size
            && names_variable(call->names[row], name))
            block = changed_copy(call, row, value);
    pthread_mutex_unlock(&lock);
    return block ? block->begin : value;
}

/* ---- libomptarget ---------------------------------------------------------------------------------------------------------- */

static void *original(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "rex-build check: libomptarget has no %s\n", name);
        abort();
    }
    return function;
}

static int is_ended;
static void at_exit(void);

static void enter_call(struct call *call)
{
    struct open_task *task;
    begin_exclusive();
    task = open_task(current_task);
    if (task && !task->where && call->location)
        task->where = call->location->source;
    if (call->location)
        last_directive = call->location->source;
    call->outer = self.call;
    call->packed_here = packed;
    call->packed = packed_count;
    self.call = call;
    ++self.in_runtime;
}

static void leave_call(struct call *call, int is_end)
{
    if (is_active)
        end_call(call, is_end);
    --self.in_runtime;
    self.call = call->outer;
    end_exclusive();
}

/* The program ends in the runtime library, whatever it has mapped. */
static void end_early(void)
{
    is_ended = 1;
    at_exit();
}

/* Whether a row only holds the members of a structure, which have rows of their own. */
static int is_parent(const struct call *call, int32_t row)
{
    int32_t i;
    for (i = row + 1; i < call->count; ++i)
        if ((int32_t)((uint64_t)call->types[i] >> 48) == row + 1)
            return 1;
    return 0;
}

static void check_releases(const struct call *call)
{
    const int device = device_of(call);
    int32_t i;
    if (!is_active || !omp_target_is_present)
        return;
    for (i = 0; i < call->count; ++i)
        if (!is_parent(call, i) && call->pointers[i] && call->sizes[i] > 0 && !(call->types[i] & (ROW_LITERAL | ROW_PRIVATE | ROW_PTR_AND_OBJ))
            && !((uint64_t)call->types[i] >> 48) && !omp_target_is_present(call->pointers[i], device))
            report_double_release(call, i, device);
}

EXPORT int __tgt_target_kernel(struct location *location, int64_t device, int32_t teams, int32_t threads, void *host_id,
                               struct kernel_arguments *arguments)
{
    struct call call = {.location = location, .device = device, .count = (int32_t)arguments->count,
                        .bases = arguments->bases, .pointers = arguments->pointers, .sizes = arguments->sizes, .types = arguments->types,
                        .names = arguments->names, .is_kernel = 1};
    int result;
    ORIGINAL(__tgt_target_kernel);
    enter_call(&call);
    call.is_new = __builtin_alloca((size_t)call.count + 1);
    if (is_active && before_call(&call))
        end_early();
    result = real(location, device, teams, threads, host_id, arguments);
    leave_call(&call, 1);
    if (!result && arguments->names)
        __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
    return result;
}

#define DATA(name, ends, updates)                                                                                             \
    EXPORT void name##_mapper(struct location *location, int64_t device, int32_t count, void **bases, void **pointers,        \
                              int64_t *sizes, int64_t *types, void **names, void **mappers)                                   \
    {                                                                                                                         \
        struct call call = {.location = location, .device = device, .count = count, .bases = bases, .pointers = pointers,     \
                            .sizes = sizes, .types = types, .names = names, .is_update = updates, .is_end = ends};            \
        ORIGINAL(name##_mapper);                                                                                              \
        enter_call(&call);                                                                                                    \
        call.is_new = ends ? NULL : __builtin_alloca((size_t)count + 1);                                                      \
        if (ends)                                                                                                             \
            check_releases(&call);                                                                                            \
        else if (is_active && before_call(&call))                                                                             \
            end_early();                                                                                                      \
        real(location, device, count, bases, pointers, sizes, types, names, mappers);                                         \
        leave_call(&call, ends);                                                                                              \
    }
DATA(__tgt_target_data_begin, 0, 0)
DATA(__tgt_target_data_end, 1, 0)
DATA(__tgt_target_data_update, 0, 1)

EXPORT void __tgt_register_lib(struct descriptor *unit)
{
    enum { UNIFIED_SHARED_MEMORY = 8 };
    const struct entry *entry;
    ORIGINAL(__tgt_register_lib);
    for (entry = unit->entries_begin; entry && entry < unit->entries_end; ++entry)
        if (entry->name && !strcmp(entry->name, ".requires") && (entry->data & UNIFIED_SHARED_MEMORY))
            has_one_memory = 1;
    for (entry = unit->entries_begin; entry && entry < unit->entries_end; ++entry)
        if (entry->name && entry->address && entry->size && !entry->flags)
            register_global(entry);
    real(unit);
}

/* Other memory may come to this place, for another thread. */
EXPORT int munmap(void *memory, size_t size)
{
    if (is_active && !self.in_runtime && is_program(CALLER))
        host_memory_ends(memory, size, NULL);
    return (int)syscall(SYS_munmap, memory, size);
}

EXPORT void *omp_target_alloc(size_t size, int device)
{
    void *memory;
    ORIGINAL(omp_target_alloc);
    begin_exclusive();
    ++self.in_runtime;
    memory = real(size, device);
    if (is_active && memory && size && omp_get_initial_device && device != omp_get_initial_device()) {
        struct block *block = new_block(ALLOCATED, memory, size);
        block->device = device;
        block->initial = DEVICE_UNSET;
        fill_unset(memory, size);
        pthread_mutex_lock(&lock);
        list_on_device(block);
        pthread_mutex_unlock(&lock);
    }
    --self.in_runtime;
    end_exclusive();
    return memory;
}

EXPORT void omp_target_free(void *memory, int device)
{
    struct block *block;
    ORIGINAL(omp_target_free);
    begin_exclusive();
    block = is_active && memory ? device_block(memory) : NULL;
    if (block && block->kind == ALLOCATED && block->begin == memory) {
        static const char here[] = ";omp_target_free;;;;";
        release_block(block, here);
    }
    ++self.in_runtime;
    real(memory, device);
    --self.in_runtime;
    end_exclusive();
}

#define COPYING(type, name, parameters, arguments)                                                                            \
    EXPORT type name parameters                                                                                               \
    {                                                                                                                         \
        struct call call = {0};                                                                                               \
        type result;                                                                                                          \
        ORIGINAL(name);                                                                                                       \
        enter_call(&call);                                                                                                    \
        result = real arguments;                                                                                              \
        leave_call(&call, 0);                                                                                                 \
        return result;                                                                                                        \
    }
COPYING(int, omp_target_memcpy,
        (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device, int from_device),
        (to, from, length, to_offset, from_offset, to_device, from_device))
COPYING(int, omp_target_memcpy_rect,
        (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
         const size_t *from_offsets, const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device),
        (to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, to_device, from_device))
COPYING(int, omp_target_memcpy_async,
        (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device, int from_device,
         int count, void *objects),
        (to, from, length, to_offset, from_offset, to_device, from_device, count, objects))
COPYING(int, omp_target_memcpy_rect_async,
        (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
         const size_t *from_offsets, const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device,
         int count, void *objects),
        (to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, to_device, from_device,
         count, objects))
COPYING(void *, omp_target_memset, (void *memory, int value, size_t size, int device), (memory, value, size, device))
COPYING(void *, omp_target_memset_async, (void *memory, int value, size_t size, int device, int count, void *objects),
        (memory, value, size, device, count, objects))

/* Memory of omp_target_alloc becomes the device's copy of host memory. */
EXPORT int omp_target_associate_ptr(const void *host, const void *memory, size_t size, size_t offset, int device)
{
    struct block *block;
    int result;
    size_t i;
    ORIGINAL(omp_target_associate_ptr);
    begin_exclusive();
    ++self.in_runtime;
    result = real(host, memory, size, offset, device);
    --self.in_runtime;
    block = is_active && !result && !offset ? device_block(memory) : NULL;
    if (block && block->kind == ALLOCATED && block->begin == memory && block->size == size && !block->host) {
        pthread_mutex_lock(&lock);
        for (i = 0; block->grid && i < block->grid->count; ++i)
            block->grid->cells[i].state &= DEVICE_UNSET;
        block->host = (char *)host;
        list_on_host(block);
        pthread_mutex_unlock(&lock);
    }
    end_exclusive();
    return result;
}

EXPORT int omp_target_disassociate_ptr(const void *host, int device)
{
    struct block *block;
    int result;
    ORIGINAL(omp_target_disassociate_ptr);
    begin_exclusive();
    block = is_active ? on_host_and_device(host, device) : NULL;
    if (block && block->kind == ALLOCATED) {
        pthread_mutex_lock(&lock);
        forget_on_host(block);
        pthread_mutex_unlock(&lock);
    }
    result = real(host, device);
    end_exclusive();
    return result;
}

/* ---- begin and end --------------------------------------------------------------------------------------------------------- */

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    int *const number = data;
    uintptr_t low = UINTPTR_MAX, high = 0;
    int i;
    (void)size;
    for (i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        if (*number == 0 && segment_count < MAX_SEGMENTS)
            segments[segment_count++] = (struct range){info->dlpi_addr + header->p_vaddr,
                                                       info->dlpi_addr + header->p_vaddr + header->p_memsz};
        if (info->dlpi_addr + header->p_vaddr < low)
            low = info->dlpi_addr + header->p_vaddr;
        if (info->dlpi_addr + header->p_vaddr + header->p_memsz > high)
            high = info->dlpi_addr + header->p_vaddr + header->p_memsz;
    }
    if (info->dlpi_name && strstr(info->dlpi_name, "libomptarget.so"))
        runtime_library = (struct range){low, high};
    ++*number;
    return 0;
}

static void report_leaks(struct node *node)
{
    struct block *block;
    struct finding *finding;
    char name[160], variable[160];
    if (!node)
        return;
    report_leaks(node->left);
    block = BLOCK_ON_HOST(node);
    if (!block->is_residue && !block->is_freed && block->kind == MAPPED && (finding = new_finding("never-released", block->where, block->name, NULL))) {
        field(name, sizeof(name), block->name, 0);
        variable_of(variable, sizeof(variable), block->name);
        finding->at = place_of_directive(block->where);
        finding->variable = strdup(name);
        finding->message = text("'%s' is still mapped at the end of the program (%zu bytes)", name, block->size);
        finding->help = text("add '#pragma omp target exit data map(release: %s)', once for each time that it is mapped", variable);
        publish(finding);
    }
    report_leaks(node->right);
}

static void at_exit(void)
{
    unsigned int i, errors = 0;
    if (!is_active)
        return;
    ++self.in_runtime;
    if (!is_ended) {
        report_leaks(host_tree);
        give_advice();
    }
    is_active = 0;
    for (i = 0; i < finding_count; ++i) {
        errors += findings[i].is_advice == 0;
        if (findings[i].count > 1 && findings[i].is_advice >= 0)
            fprintf(stderr, "rex-build check: %s:%d [%s] happened %" PRIu64 " times\n", findings[i].at.file, findings[i].at.line,
                    findings[i].kind, findings[i].count);
    }
    fprintf(stderr, "rex-build check: %u finding%s; %" PRIu64 " target region%s, %" PRIu64 " accesses on the device, %" PRIu64
                    " bytes copied to it and %" PRIu64 " back were checked",
            errors, errors == 1 ? "" : "s", regions, regions == 1 ? "" : "s", device_accesses, copied_to, copied_from);
    if (suppressed_count)
        fprintf(stderr, "; %u suppressed", suppressed_count);
    fprintf(stderr, "\n");
    write_output();
    if (errors && !is_continuing) {
        fflush(NULL);
        _exit(66);
    }
}

/* Device code that crashes was not necessarily seen before: it may have used up its stack, or followed a null pointer. */
static void crashed(int number, siginfo_t *what, void *context)
{
    const char *const code = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    signal(number, SIG_DFL);
    if (is_active && self.in_device) {
        struct finding *const finding = new_finding("device-crash", code, NULL, NULL);
        self.in_device = 0;
        if (finding) {
            finding->at = place_of(code + 1);
            spell_like(&finding->at, self.call && self.call->location ? self.call->location->source : NULL);
            finding->message = text("device code crashes here, with the address %p", what->si_addr);
            publish(finding);
        }
        at_exit();
    }
}

__attribute__((constructor(101))) static void prepare(void)
{
    static char other_stack[64 << 10];
    const stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    const char *wanted = getenv("REX_CHECK"), *color = getenv("NO_COLOR");
    int number = 0;
    find_originals();
    if (wanted && !strcmp(wanted, "0"))
        return;
    is_continuing = wanted && !strcmp(wanted, "continue");
    has_color = isatty(2) && !(color && *color);
    dl_iterate_phdr(look, &number);
    stack_high = end_of_stack();
    intervals = mmap(NULL, INTERVALS * sizeof(*intervals), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (intervals == MAP_FAILED)
        return;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    atexit(at_exit);
    is_active = 1;
}
