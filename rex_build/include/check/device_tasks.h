/* Tasks of device code: what orders them. Included by runtime.c.
 *
 * A thread runs a task where it meets the task, so what it does is one sequence in which each task is complete when the code
 * behind it goes on. In a team of several threads, a task stays open until something waits for it: `taskwait`, the end of a
 * `taskgroup`, a barrier, or a task that depends on it. What a task does has an interval of its own, whose phase is that of
 * the code around the task. Tasks of different threads are as unordered as these threads are.
 */

enum { OPEN = 1024, SET_WORDS = OPEN / 64, TASK_DEPENDS = 16 };

enum dependence_kind { DEPENDS_IN, DEPENDS_OUT, DEPENDS_IN_SET, DEPENDS_ON_ALL };

struct device_dependence {
    const volatile void *address;
    enum dependence_kind kind;
};

/* `known` are the open tasks that are complete before what this one does next. */
struct device_task {
    uint32_t number, parent; /* 0: the thread's implicit task */
    uint64_t known[SET_WORDS];
    struct device_dependence depends[TASK_DEPENDS];
    uint32_t depend_count;
};

/* The tasks of a thread in one phase. Task number n has place n % OPEN, if that is open yet. */
struct device_tasks {
    uint32_t phase, last, open;
    struct device_task tasks[OPEN];
};

static __thread struct device_tasks *thread_tasks;

/* A new interval of a team, in which no other access was made yet. */
EXPORT uint32_t rex_check_interval(uint32_t team)
{
    const struct host_thread *const host = launch_hosts[current_launch % KNOWN_LAUNCHES];
    uint32_t number = __atomic_fetch_add(&interval_count, 1, __ATOMIC_RELAXED) & (INTERVALS - 1);
    if (!number)
        number = __atomic_fetch_add(&interval_count, 1, __ATOMIC_RELAXED) & (INTERVALS - 1);
    if (is_active)
        intervals[number] = (struct interval){current_launch, team, launch_tasks[current_launch % KNOWN_LAUNCHES], number, 0,
                                              host ? host->fork->root->number : 0, host ? host->slot : 0,
                                              launch_held[current_launch % KNOWN_LAUNCHES]};
    return number;
}

static struct device_task *device_task(uint32_t number)
{
    struct device_task *const task = number && thread_tasks ? &thread_tasks->tasks[number % OPEN] : NULL;
    return task && task->number == number ? task : NULL;
}

static inline int is_in_set(const uint64_t *set, uint32_t number)
{
    return set[number % OPEN / 64] >> number % 64 & 1;
}

static inline void add_to_set(uint64_t *set, uint32_t number)
{
    set[number % OPEN / 64] |= (uint64_t)1 << number % 64;
}

static void add_set(uint64_t *set, const uint64_t *more)
{
    for (int i = 0; i < SET_WORDS; ++i)
        set[i] |= more[i];
}

/* Whether nothing orders a task of this thread and what task `later` of it does now. */
static SLOW int is_open_for(uint32_t earlier, uint32_t later)
{
    const struct device_task *const now = device_task(later), *around;
    if (earlier == later || !device_task(earlier) || (later && !now))
        return 0;
    for (around = now; around; around = device_task(around->parent))
        if (around->number == earlier)
            return 0;
    return !(now && is_in_set(now->known, earlier));
}

/* These tasks are complete for all that follows. */
static void close_device_tasks(const uint64_t *which)
{
    int i, k;
    for (i = 0; i < OPEN; ++i)
        if (thread_tasks->tasks[i].number && (which[i / 64] >> i % 64 & 1)) {
            thread_tasks->tasks[i].number = 0;
            --thread_tasks->open;
        }
    for (i = 0; thread_tasks->open && i < OPEN; ++i)
        for (k = 0; k < SET_WORDS; ++k)
            thread_tasks->tasks[i].known[k] &= ~which[k];
}

/* The table of this thread, in which nothing of an earlier phase is open. */
static struct device_tasks *tasks_of(uint32_t phase)
{
    if (!thread_tasks) {
        thread_tasks = mmap(NULL, sizeof(struct device_tasks), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (thread_tasks == MAP_FAILED)
            thread_tasks = NULL;
    }
    if (thread_tasks && thread_tasks->phase != phase) {
        for (int i = 0; thread_tasks->open && i < OPEN; ++i)
            thread_tasks->tasks[i].number = 0;
        thread_tasks->phase = phase;
        thread_tasks->open = 0;
    }
    return thread_tasks;
}

/* Task `number` goes on when the tasks in a set are complete, and what they have waited for. What the implicit task waits
 * for is complete for all that follows. */
static void waits_for(uint32_t number, const uint64_t *which)
{
    struct device_task *const task = device_task(number);
    uint64_t all[SET_WORDS];
    int i;
    real_memcpy(all, which, sizeof(all));
    for (i = 0; i < OPEN; ++i)
        if (thread_tasks->tasks[i].number && (which[i / 64] >> i % 64 & 1))
            add_set(all, thread_tasks->tasks[i].known);
    if (task)
        add_set(task->known, all);
    if (!number)
        close_device_tasks(all);
}

static int depends_on(const struct device_dependence *later, const struct device_dependence *earlier)
{
    if (later->kind == DEPENDS_ON_ALL || earlier->kind == DEPENDS_ON_ALL)
        return 1;
    return later->address == earlier->address && (later->kind != earlier->kind || later->kind == DEPENDS_OUT);
}

/* Adds the tasks of the same parent that what depends on `depends` comes after. */
static void add_siblings_before(uint64_t *set, uint32_t parent, const struct device_dependence *depends, uint32_t count)
{
    for (int i = 0; i < OPEN; ++i) {
        const struct device_task *const task = &thread_tasks->tasks[i];
        for (uint32_t k = 0; task->number && task->parent == parent && k < count; ++k)
            for (uint32_t j = 0; j < task->depend_count; ++j)
                if (depends_on(&depends[k], &task->depends[j])) {
                    add_to_set(set, task->number);
                    add_set(set, task->known);
                }
    }
}

static struct interval *present_interval(void)
{
    return &intervals[self.who >> INTERVAL_SHIFT];
}

/* Whether this thread has open tasks in the present phase. */
static int has_open_tasks(void)
{
    return is_active && thread_tasks && thread_tasks->open && thread_tasks->phase == present_interval()->phase;
}

/* The calling thread begins a task. What rex_check_task_end needs is kept in `who`, and in `ends_open` whether the task stays
 * open after its end. */
EXPORT void rex_check_task_begin(uint64_t *around, int *ends_open, int is_deferred, const struct device_dependence *depends,
                                 uint32_t count)
{
    const struct interval *const outer = present_interval();
    struct device_tasks *const all = is_active ? tasks_of(outer->phase) : NULL;
    const struct device_task *parent;
    struct device_task *task;
    uint64_t oldest[SET_WORDS] = {0};
    uint32_t number;
    *around = self.who;
    *ends_open = is_deferred;
    if (!all)
        return;
    parent = device_task(outer->device_task);
    if (!++all->last)
        ++all->last;
    task = &all->tasks[all->last % OPEN];
    if (task->number) { /* too many are open */
        add_to_set(oldest, task->number);
        close_device_tasks(oldest);
    }
    real_memset(task, 0, sizeof(*task));
    task->number = all->last;
    task->parent = outer->device_task;
    ++all->open;
    if (parent && parent->number == task->parent)
        real_memcpy(task->known, parent->known, sizeof(task->known));
    add_siblings_before(task->known, task->parent, depends, count);
    task->depend_count = count < TASK_DEPENDS ? count : TASK_DEPENDS;
    for (uint32_t i = 0; i < task->depend_count; ++i)
        task->depends[i] = depends[i];
    if (count > TASK_DEPENDS)
        task->depends[0].kind = DEPENDS_ON_ALL;
    number = rex_check_interval(outer->team);
    intervals[number].phase = outer->phase;
    intervals[number].device_task = task->number;
    self.who = (self.who & (((who)1 << INTERVAL_SHIFT) - 1)) | (who)number << INTERVAL_SHIFT;
}

EXPORT void rex_check_task_end(uint64_t around, int ends_open)
{
    const uint32_t number = present_interval()->device_task;
    struct device_task *const task = self.who != around ? device_task(number) : NULL;
    uint64_t this_one[SET_WORDS] = {0};
    self.who = around;
    if (!task || ends_open)
        return;
    add_to_set(this_one, number);
    waits_for(task->parent, this_one);
}

/* Waits for the tasks that this one has made, or for those that `depends` name. */
EXPORT void rex_check_taskwait(const struct device_dependence *depends, uint32_t count)
{
    const uint32_t me = present_interval()->device_task;
    uint64_t which[SET_WORDS] = {0};
    if (!has_open_tasks())
        return;
    if (count)
        add_siblings_before(which, me, depends, count);
    for (int i = 0; !count && i < OPEN; ++i)
        if (thread_tasks->tasks[i].number && thread_tasks->tasks[i].parent == me)
            add_to_set(which, thread_tasks->tasks[i].number);
    waits_for(me, which);
}

/* The number of tasks that this thread has made. */
EXPORT uint32_t rex_check_group(void)
{
    return thread_tasks ? thread_tasks->last : 0;
}

/* Waits for all tasks made since then, which are of this group: those that this task has made, and what these have made. */
EXPORT void rex_check_group_end(uint32_t before)
{
    uint64_t which[SET_WORDS] = {0};
    if (!has_open_tasks())
        return;
    for (int i = 0; i < OPEN; ++i)
        if (thread_tasks->tasks[i].number && thread_tasks->tasks[i].number - before - 1 < thread_tasks->last - before)
            add_to_set(which, thread_tasks->tasks[i].number);
    waits_for(present_interval()->device_task, which);
}
