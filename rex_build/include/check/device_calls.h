/* What the device library calls: which kernel, team, thread and iteration runs, and where threads wait. Included by runtime.c. */

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

/* The calling thread's stack is one that device code uses. */
static void list_stack(void)
{
    const uintptr_t high = end_of_stack(), low = begin_of_stack;
    if (!stack_of_thread) {
        struct block *block = new_block(STACK, (char *)low, high - low);
        struct node *ended;
        stack_of_thread = block;
        pthread_mutex_lock(&lock);
        while ((ended = find(stack_tree, high - 1, NULL)) && ended->end > low) { /* of a thread that has ended */
            take_out(&stack_tree, ended);
            is_used_no_more(BLOCK_ON_DEVICE(ended));
        }
        insert(&stack_tree, &block->on_device);
        pthread_mutex_unlock(&lock);
    }
}

/* The part of the thread's stack below `frame` is its own. Other threads may use the part above, up to its end or to the
 * frame of the launch. */
static void own_stack(char *frame)
{
    list_stack();
    self.stack = (char *)begin_of_stack;
    self.stack_size = frame > self.stack ? (size_t)(frame - self.stack) : 0;
}

/* A team that no other number means. */
EXPORT uint32_t rex_check_new_team(void)
{
    static uint32_t count;
    self.meeting = NULL;
    forget_order_of_thread();
    return 0x40000000u + __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % 0x40000000u;
}

/* The first interval of a launch that begins now, or 0 if its numbers may begin again meanwhile. */
static uint32_t first_interval(void)
{
    const uint32_t next = __atomic_load_n(&interval_count, __ATOMIC_RELAXED) & (INTERVALS - 1);
    return next < INTERVALS - INTERVALS / 16 ? next : 0;
}

/* What has a number below this was done before the present launch. */
static who begin_of_launch(void)
{
    return self.host ? 0 : (who)launch_intervals[current_launch % KNOWN_LAUNCHES] << INTERVAL_SHIFT;
}

EXPORT uint32_t rex_check_launch(void)
{
    return current_launch;
}

/* The first interval of a parallel region. Its threads know what the thread knows that begins it. */
EXPORT uint32_t rex_check_fork(uint32_t team)
{
    const uint32_t number = rex_check_interval(team);
    if (UNLIKELY(known.count))
        hand_on(&intervals[number], 0);
    return number;
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
    launch_intervals[current_launch % KNOWN_LAUNCHES] = first_interval();
    launch_places[current_launch % KNOWN_LAUNCHES] = self.call && self.call->location ? self.call->location->source : NULL;
    launch_calls[current_launch % KNOWN_LAUNCHES] = self.call;
    if (self.call) {
        ++self.in_runtime;
        begin_call(self.call);
        --self.in_runtime;
        pthread_mutex_unlock(&construct_lock);
    }
    pthread_mutex_lock(&lock);
    for (slot = 0; slot < LAUNCHES && launches[slot].low; ++slot)
        ;
    if (slot < LAUNCHES) {
        launches[slot] = (struct launch){frame, end_of_stack()};
        launch_slot = slot;
    }
    pthread_mutex_unlock(&lock);
    list_stack();
}

EXPORT void rex_check_kernel_end(void)
{
    if (!is_active)
        return;
    launch_calls[current_launch % KNOWN_LAUNCHES] = NULL;
    if (launch_slot >= 0) {
        pthread_mutex_lock(&lock);
        launches[launch_slot] = (struct launch){0};
        pthread_mutex_unlock(&lock);
    }
    launch_slot = -1;
    if (self.call)
        pthread_mutex_lock(&construct_lock);
}

struct saved {
    uint64_t who, stack, stack_size, host;
    uint32_t loop, locks, launch, team;
    int in_device, in_runtime;
    uint16_t lock, is_fenced;
    uint8_t uses_number, over_teams;
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
    if (UNLIKELY(is_handed_on) && !saved->in_device)
        forget_order_of_thread();
    current_launch = launch;
    self.host = launch_hosts[launch % KNOWN_LAUNCHES];
    self.who = (who)interval << INTERVAL_SHIFT
               | (who)(thread & ((1 << THREAD_BITS) - 1)) << (ITERATION_BITS + LOOP_BITS);
    self.loop = self.locks = 0;
    self.lock = self.is_fenced = 0;
    self.uses_number = self.over_teams = 0;
    self.earlier = begin_of_launch();
    self.in_runtime = 0;
    self.in_device = 1;
    if (is_active) {
        own_stack(frame);
        own_views();
        if (UNLIKELY(is_handed_on))
            get_to_know(&intervals[interval]);
    }
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
    self.earlier = begin_of_launch();
    __atomic_fetch_add(&device_accesses, self.accesses, __ATOMIC_RELAXED);
    self.accesses = 0;
    self.in_device = saved->in_device;
}

static void go_on(uint32_t interval)
{
    self.who = (self.who & (((who)1 << INTERVAL_SHIFT) - 1)) | (who)interval << INTERVAL_SHIFT;
}

/* Where the threads of a region wait for each other. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all;
    const char *caller; /* of the first thread that waits */
    uint32_t threads, team, arrived, parted, phase, interval;
};
_Static_assert(sizeof(struct meeting) <= 128, "rex_check.h reserves this much");

/* The calling thread goes on in another interval, behind a barrier or the end of a parallel region. */
EXPORT void rex_check_go_on(uint32_t interval)
{
    go_on(interval);
    self.is_fenced = 0;
    if (UNLIKELY(is_handed_on) && is_active && self.meeting)
        get_to_know(self.meeting);
}

/* What the threads of a team know, all of them know when they have met. */
static void hand_on_to_team(void)
{
    if (LIKELY(!known.count))
        return;
    forget_own_team();
    hand_on(self.meeting, 0);
}

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
    hand_on_to_team();
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
    hand_on_to_team();
    pthread_mutex_lock(&meeting->lock);
    ++meeting->parted;
    meet(meeting);
    pthread_mutex_unlock(&meeting->lock);
}

EXPORT void rex_check_iteration(long long number)
{
    const who mask = ((who)1 << ITERATION_BITS) - 1;
    if (UNLIKELY(known.count) || UNLIKELY(has_forgotten))
        other_iteration(!!(self.who & mask), number >= 0);
    self.who = (self.who & ~mask) | (number < 0 ? 0 : ((who)number < mask ? (who)number : (who)number % mask) + 1);
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

static void has_new_interval(void)
{
    const struct interval *const before = &intervals[self.who >> INTERVAL_SHIFT];
    const uint32_t number = rex_check_interval(before->team);
    intervals[number].phase = before->phase;
    intervals[number].device_task = before->device_task;
    go_on(number);
}

/* An atomic write or update of an object begins that is not relaxed. */
EXPORT void rex_check_hands_on(const volatile void *object)
{
    if (!is_active || !self.in_device || is_own_stack((const char *)object))
        return;
    hand_on(object, 1);
    has_new_interval();
}

/* An atomic read or update of an object has been made that is not relaxed. */
EXPORT void rex_check_gets_to_know(const volatile void *object)
{
    if (is_active && self.in_device && !is_own_stack((const char *)object))
        get_to_know(object);
}

/* A flush: what follows may be ordered in a way that is not seen here. */
EXPORT void rex_check_fenced(void) { self.is_fenced = 1; }

/* An update of an object begins, or, with operation 0 and no object, ends. */
EXPORT void rex_check_updates(const char *object, size_t size, uint32_t operation)
{
    self.updated = object;
    self.updated_size = size;
    self.update = operation;
}

EXPORT void rex_check_packs(const volatile void *scalar, uint64_t size)
{
    (void)size;
    packed[packed_count++ % MAX_PACKED] = (const char *)(uintptr_t)scalar;
}

/* The copy that the present region has of a variable, or null. With the lock held. */
static struct block *copy_of_region(void *value, uint64_t size, const char *name)
{
    struct call *const call = launch_calls[current_launch % KNOWN_LAUNCHES];
    struct block *block;
    int32_t row;
    if (!is_active || !call)
        return NULL;
    for (block = call->changed; block && !names_variable(block->name, name);)
        block = block->sibling;
    for (row = 0; !block && call->names && row < call->count; ++row)
        if ((call->types[row] & ROW_IMPLICIT) && (call->types[row] & (ROW_LITERAL | ROW_PRIVATE)) && call->sizes[row] == (int64_t)size
            && names_variable(call->names[row], name))
            block = changed_copy(call, row, value);
    return block;
}

/* Where the threads of the present region have their own copy of a variable. */
EXPORT void *rex_check_changed(void *value, uint64_t size, const char *name)
{
    struct block *block;
    pthread_mutex_lock(&lock);
    block = copy_of_region(value, size, name);
    pthread_mutex_unlock(&lock);
    return block ? block->begin : value;
}

/* The region changes its own copy of a variable by what is not checked. */
EXPORT void rex_check_dropped(void *value, uint64_t size, const char *name)
{
    struct block *block;
    struct grid *grid;
    size_t i;
    pthread_mutex_lock(&lock);
    block = copy_of_region(value, size, name);
    grid = block ? refined(block, 0, size) : NULL;
    for (i = 0; grid && i < grid->count; ++i) {
        grid->cells[i].state = HOST_OLD;
        grid->cells[i].writer_site = NO_SITE;
        grid->cells[i].host_value = host_digest(block, grid, i);
    }
    pthread_mutex_unlock(&lock);
}

/* A reduction's copy begins with the original's value, which changes what it is combined with. */
EXPORT void rex_check_counted_twice(void)
{
    const char *const directive = current_directive();
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    finding = is_active && directive ? new_finding("counted-twice", directive, NULL, NULL) : NULL;
    if (finding) {
        finding->at = place_of_directive(directive);
        finding->message = text("copies of a reduction begin with the variable's value here, which is combined again for each of them");
        finding->help = text("let 'initializer' give the value that changes nothing, such as omp_priv = 0 for a sum");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}
