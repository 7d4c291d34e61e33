/* Deferred regions: what `nowait` lets run beside the host and beside other regions. Included by runtime.c.
 *
 * A task runs at once here, so all that it does is known when the host goes on. It stays open until something waits for it.
 * Until then, the host and other tasks must not use what it uses, unless a `depend` clause orders them.
 */

enum { MAX_OPEN = 64, MAX_DEPENDS = 16, MAX_TRANSFERS = 256 };

struct dependence {
    const void *address;
    int is_out;
};

struct open_task {
    uint32_t number;          /* 0: not used */
    const struct thread *by;  /* the thread that has made it, which waits for it */
    uint32_t parent;          /* the task that has made it */
    uint64_t before;          /* the open tasks that are done before it begins */
    const char *where;        /* its first directive */
    struct dependence depends[MAX_DEPENDS];
    int depend_count, is_running;
};

/* A copy that an open task makes, as the host sees it. */
struct transfer {
    uintptr_t begin, end;
    uint32_t task;
    int is_write;
    uint64_t held;    /* its locks */
    const char *name; /* of the row that it is part of */
};

static struct open_task open_tasks[MAX_OPEN];
static struct transfer transfers[MAX_TRANSFERS];
static int open_count, transfer_count;
static uint32_t task_count;
static int has_events; /* a task is complete when the program says so, perhaps after it has made others that depend on it */
static uint32_t launch_tasks[KNOWN_LAUNCHES]; /* the task of each of the latest launches, and its locks */
static uint64_t launch_held[KNOWN_LAUNCHES];
static uint32_t launch_intervals[KNOWN_LAUNCHES]; /* their first ones */
static __thread uint32_t current_task;
enum { MAX_GROUPS = 8 };
static __thread uint32_t groups[MAX_GROUPS]; /* the number of tasks when each taskgroup began */
static __thread int group_depth;
enum { MAX_HELD = 16 };
static __thread const void *held[MAX_HELD]; /* locks of this thread; their addresses are bits of `self.held` */
static __thread int held_count, held_before; /* the first ones are those of the code around a deferred task */

static struct open_task *open_task(uint32_t number)
{
    int i;
    for (i = 0; number && i < MAX_OPEN; ++i)
        if (open_tasks[i].number == number)
            return &open_tasks[i];
    return NULL;
}

/* Whether nothing orders an open task and what task `later` does. */
static int is_unordered(uint32_t earlier, uint32_t later)
{
    const struct open_task *open, *other;
    uint32_t around;
    int result;
    pthread_mutex_lock(&lock); /* another thread may close tasks, or give their places to new ones */
    open = earlier != later ? open_task(earlier) : NULL;
    other = open ? open_task(later) : NULL;
    result = open && !open->is_running && !(other && (other->before >> (open - open_tasks) & 1));
    for (around = later; result && around; around = open_task(around) ? open_task(around)->parent : 0)
        result = around != earlier;
    pthread_mutex_unlock(&lock);
    return result;
}

static void close_task(struct open_task *task)
{
    const uint64_t bit = (uint64_t)1 << (task - open_tasks);
    int i, kept = 0;
    for (i = 0; i < transfer_count; ++i)
        if (transfers[i].task != task->number)
            transfers[kept++] = transfers[i];
    transfer_count = kept;
    for (i = 0; i < MAX_OPEN; ++i)
        open_tasks[i].before &= ~bit;
    task->number = 0;
    --open_count;
}

/* What gcc gives GOMP_task: numbers of addresses, with those that are written first, or three numbers behind a null pointer. */
static int read_dependences(struct dependence *found, void **depend)
{
    size_t all = (uintptr_t)depend[0], outs = (uintptr_t)depend[1], first = 2, i;
    int count = 0;
    if (!all) {
        all = (uintptr_t)depend[1];
        outs = (uintptr_t)depend[2] + (uintptr_t)depend[3];
        first = 5;
    }
    for (i = 0; i < all && count < MAX_DEPENDS; ++i) {
        const int is_object = !depend[0] && i >= outs + (uintptr_t)depend[4];
        found[count].address = is_object ? *(void **)depend[first + i] : depend[first + i];
        found[count++].is_out = i < outs || is_object;
    }
    return count;
}

/* The open tasks of this thread that a task with these dependences comes after. */
static uint64_t tasks_before(const struct dependence *depends, int count)
{
    uint64_t before = 0;
    int i, k, j;
    for (i = 0; i < MAX_OPEN; ++i)
        for (k = 0; open_tasks[i].number && k < count; ++k)
            for (j = 0; j < open_tasks[i].depend_count; ++j)
                if (open_tasks[i].depends[j].address == depends[k].address && (open_tasks[i].depends[j].is_out || depends[k].is_out))
                    before |= (uint64_t)1 << i | open_tasks[i].before;
    return before;
}

static struct open_task *begin_task(void **depend)
{
    struct open_task *task = NULL;
    int i;
    pthread_mutex_lock(&lock);
    for (i = 0; i < MAX_OPEN && !task; ++i)
        if (!open_tasks[i].number)
            task = &open_tasks[i];
    if (task) {
        *task = (struct open_task){.number = ++task_count, .by = &self, .parent = current_task, .is_running = 1};
        if (depend)
            task->depend_count = read_dependences(task->depends, depend);
        task->before = tasks_before(task->depends, task->depend_count);
        ++open_count;
    }
    pthread_mutex_unlock(&lock);
    return task;
}

/* Closes the tasks in `which` that are newer than `after`, and not newer than `last`. */
static void wait_for(uint64_t which, uint32_t after, uint32_t last)
{
    int i;
    if (!open_count)
        return;
    pthread_mutex_lock(&lock);
    for (i = 0; i < MAX_OPEN; ++i)
        if (open_tasks[i].number > after && open_tasks[i].number <= last && (which >> i & 1) && !open_tasks[i].is_running)
            close_task(&open_tasks[i]);
    pthread_mutex_unlock(&lock);
}

static uint64_t made_here(void)
{
    uint64_t which = 0;
    int i;
    pthread_mutex_lock(&lock);
    for (i = 0; i < MAX_OPEN; ++i)
        if (open_tasks[i].by == &self && open_tasks[i].parent == current_task)
            which |= (uint64_t)1 << i;
    pthread_mutex_unlock(&lock);
    return which;
}

/* ---- transfers and accesses of the host ------------------------------------------------------------------------------------- */

enum use { READS, WRITES, FREES }; /* what is done with memory */

static SLOW void report_pending(const struct transfer *transfer, uintptr_t address, enum use use, struct site *site)
{
    const struct open_task *const task = open_task(transfer->task);
    const char *const here = current_directive();
    struct finding *finding;
    char variable[160];
    if (!task)
        return;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("nowait", task->where, site ? (const void *)site : here, NULL);
    if (finding) {
        variable_of(variable, sizeof(variable), transfer->name);
        finding->variable = strdup(variable);
        finding->at = site ? place_of(site->caller) : place_of_directive(here);
        spell_like(&finding->at, task->where);
        finding->message = text("%s %s %s, but the directive with 'nowait' that %s it may still run",
                                site ? "the host" : "this directive", (const char *[]){"reads", "writes", "frees"}[use], variable,
                                transfer->is_write ? "writes" : "reads");
        note_directive(finding, "it is here", task->where);
        note(finding, text("it copies %zu bytes, and this is byte %zu of them", (size_t)(transfer->end - transfer->begin),
                           (size_t)(address - transfer->begin)));
        finding->help = text("put '#pragma omp taskwait' in front, add 'depend' clauses to both, or leave out 'nowait'");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* The host, or the copy of another task if `site` is null, uses memory while deferred regions may still run. */
static SLOW void check_pending(const char *address, size_t size, enum use use, struct site *site)
{
    const uintptr_t begin = (uintptr_t)address;
    struct transfer found = {0};
    int i;
    pthread_mutex_lock(&lock);
    for (i = 0; i < transfer_count && !found.end; ++i)
        if (transfers[i].begin < begin + size && begin < transfers[i].end && (use || transfers[i].is_write)
            && !(transfers[i].held & self.held) && is_unordered(transfers[i].task, current_task) && open_task(transfers[i].task)->by == &self)
            found = transfers[i];
    pthread_mutex_unlock(&lock);
    if (found.end)
        report_pending(&found, begin > found.begin ? begin : found.begin, use, site);
}

/* libomptarget copies host memory for the present directive. */
static void note_transfer(const char *address, size_t size, int is_write)
{
    const char *name = NULL;
    if (!open_count)
        return;
    if (transfer_count)
        check_pending(address, size, is_write, NULL);
    if (!current_task)
        return;
    for (int32_t i = 0; self.call && self.call->names && i < self.call->count && !name; ++i)
        if (address >= (char *)self.call->pointers[i] && address < (char *)self.call->pointers[i] + self.call->sizes[i])
            name = self.call->names[i];
    pthread_mutex_lock(&lock);
    if (transfer_count < MAX_TRANSFERS)
        transfers[transfer_count++] =
            (struct transfer){(uintptr_t)address, (uintptr_t)address + size, current_task, is_write, self.held, name};
    pthread_mutex_unlock(&lock);
}

/* ---- libgomp ------------------------------------------------------------------------------------------------------------------ */

#define ORIGINAL(function)                                                                                                    \
    static __typeof__(&function) real;                                                                                        \
    if (!real)                                                                                                                \
        *(void **)&real = original(#function)

enum { TASK_DEPEND = 8 };

EXPORT void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long alignment,
                      _Bool is_deferrable, unsigned int flags, void **depend, int priority, void *detach)
{
    const uint32_t before = current_task;
    const uint64_t held_here = self.held;
    const int outer = held_before;
    struct open_task *task;
    ORIGINAL(GOMP_task);
    task = is_active && !self.in_device && !has_events ? begin_task(flags & TASK_DEPEND ? depend : NULL) : NULL;
    if (!task) {
        has_free_tasks |= is_deferrable && is_active && !self.in_device;
        real(body, data, copy, size, alignment, is_deferrable, flags, depend, priority, detach);
        return;
    }
    if (copy) { /* a task that is not deferred gets no copy from LLVM's runtime */
        const uintptr_t mask = (uintptr_t)alignment - 1;
        void *const copied = (void *)(((uintptr_t)__builtin_alloca((size_t)(size + alignment)) + mask) & ~mask);
        copy(copied, data);
        data = copied;
    }
    current_task = task->number;
    if (is_deferrable) {
        held_before = held_count;
        self.held = 0;
    }
    real(body, data, NULL, size, alignment, 0, flags, depend, priority, detach);
    current_task = before;
    held_before = outer;
    self.held = held_here;
    task->is_running = 0;
    if (!is_deferrable)
        wait_for(task->before | (uint64_t)1 << (task - open_tasks), 0, UINT32_MAX);
    else if (!task->where) /* no region: the host's tasks are not looked at */
        wait_for((uint64_t)1 << (task - open_tasks), 0, UINT32_MAX);
}

EXPORT void *__kmpc_task_allow_completion_event(void *location, int thread, void *task)
{
    ORIGINAL(__kmpc_task_allow_completion_event);
    has_events = 1;
    return real(location, thread, task);
}

EXPORT void GOMP_taskwait(void)
{
    ORIGINAL(GOMP_taskwait);
    real();
    wait_for(made_here(), 0, UINT32_MAX);
}

EXPORT void GOMP_taskwait_depend(void **depend)
{
    struct dependence depends[MAX_DEPENDS];
    ORIGINAL(GOMP_taskwait_depend);
    real(depend);
    if (open_count) {
        const int count = read_dependences(depends, depend);
        pthread_mutex_lock(&lock);
        wait_for(tasks_before(depends, count), 0, UINT32_MAX);
        pthread_mutex_unlock(&lock);
    }
}

EXPORT void GOMP_taskgroup_start(void)
{
    ORIGINAL(GOMP_taskgroup_start);
    groups[group_depth++ % MAX_GROUPS] = task_count;
    real();
}

EXPORT void GOMP_taskgroup_end(void)
{
    ORIGINAL(GOMP_taskgroup_end);
    real();
    if (group_depth > 0)
        wait_for(made_here(), groups[--group_depth % MAX_GROUPS], UINT32_MAX);
}
