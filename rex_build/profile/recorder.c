/* Records what an offloading program spends in libomptarget. `rex-build profile` preloads it into the program.
 *
 * Three sources are combined:
 *  - The entry points of libomptarget are wrapped, because their first argument is the place of the user's directive.
 *  - OMPT, the tools' interface of OpenMP, reports data operations and submitted kernels. Its callbacks come on the thread of
 *    the call, so they belong to the directive that this thread is in.
 *  - CUPTI, if it can be loaded, has the times of kernels and copies on the GPU itself.
 *
 * At the end of the program sums are written as JSON to REX_PROFILE_DIR/<process>.json, and events as they lie in memory to
 * <process>.events. Times are in nanoseconds. The end may be a signal, so what writes needs no memory from malloc.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Interfaces of LLVM's runtimes, as far as they are needed. */

struct location {
    int32_t reserved, flags, more[2];
    const char *source; /* ";file;function;line;column;;" */
};

struct kernel_arguments {
    uint32_t version, count;
    void **bases, **pointers;
    int64_t *sizes, *types;
    void **names, **mappers;
    uint64_t trip_count, flags;
    uint32_t teams[3], threads[3], shared_memory;
};

typedef union {
    uint64_t value;
    void *pointer;
} ompt_data;
typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_lookup)(const char *);
struct ompt_start_tool_result {
    int (*initialize)(ompt_lookup, int, ompt_data *);
    void (*finalize)(ompt_data *);
    ompt_data data;
};

enum { OMPT_BEGIN = 1, OMPT_END = 2 };
enum { OMPT_DEVICE_INITIALIZE = 12, OMPT_DATA_OP_EMI = 34, OMPT_SUBMIT_EMI = 35, OMPT_TARGET_EMI = 33 };
enum { OMPT_ALLOC = 1, OMPT_TO_DEVICE = 2, OMPT_FROM_DEVICE = 3, OMPT_DELETE = 4 };
enum { OMPT_TO_DEVICE_ASYNC = 18, OMPT_FROM_DEVICE_ASYNC = 19 };

/* What is recorded. A site is a directive of the program, or another place that calls the runtime. */

enum kind { KERNEL, DATA_BEGIN, DATA_END, UPDATE, START, OTHER };
static const char *const kind_names[] = {"target", "data begin", "data end", "update", "start", "other"};

/* WAIT is the wait for all regions of a run (rex_in_order.h). The run's first region has it, and measured.py divides it. */
enum operation { TO_DEVICE, FROM_DEVICE, ALLOCATE, RELEASE, LAUNCH, WAIT, OPERATIONS };
static const char *const operation_names[] = {"to_device", "from_device", "allocate", "release", "launch", "wait"};

struct total {
    uint64_t count, bytes, time;
};

struct variable {
    const char *name;
    struct total operations[OPERATIONS];
};

enum { VARIABLES = 48 };

/* What says how many blocks of a kernel a multiprocessor can hold. */
struct kernel {
    uint64_t time, blocks;
    uint32_t threads, registers, shared; /* of a block, a thread and a block */
};

struct site {
    struct site *next; /* with the same hash */
    const char *source;
    const void *caller;
    enum kind kind;
    unsigned int number;
    const struct site *run; /* the first region of the run that it was last launched in, if it was */
    uint64_t count, on_host, time, least, most;
    uint32_t teams_least, teams_most, threads_least, threads_most, device;
    struct total mapped;  /* launches of which all bytes on the device are known, and their sum */
    struct kernel kernel; /* its longest one on the GPU */
    struct total operations[OPERATIONS];
    struct total gpu[OPERATIONS]; /* times of the device: TO_DEVICE, FROM_DEVICE and LAUNCH */
    struct variable variables[VARIABLES];
    unsigned int variable_count;
};

/* measured.py reads it. */
struct event {
    int64_t begin; /* since the process began */
    uint64_t time, bytes;
    uint32_t thread;
    uint16_t site;
    int16_t what; /* an operation, -1 for the whole call; 16 more for what the GPU reports */
};

enum { BUCKETS = 4096 };

static struct site *buckets[BUCKETS];
static struct site *sites[UINT16_MAX + 1];
static unsigned int site_count;
static struct event *events;
static uint64_t event_count, event_room, event_dropped, begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int has_ompt, has_cupti, is_written;
static char folder[4096]; /* in which the profile is written */
static pid_t process;
static char devices[16][48];

/* The first GPU: what it is called, where it is, and numbers of the driver. card.py has them by these names. */
static char card[128], card_place[16];
static struct {
    const char *name;
    int attribute, value;
} card_numbers[] = {
    {"multiprocessors", 16, 0},
    {"memory_kilohertz", 36, 0},
    {"memory_bits", 37, 0},
    {"threads", 39, 0}, /* this and what follows: of a multiprocessor */
    {"shared", 81, 0},
    {"registers", 82, 0},
    {"blocks", 106, 0},
    {"reserved", 111, 0},        /* shared memory of a block that the driver needs itself */
    {"shares_page_tables", 100, 0}, /* with the host: it is not behind PCIe */
};
enum { CARD_NUMBERS = sizeof(card_numbers) / sizeof(card_numbers[0]) };

/* The call that the thread is in. */
struct call {
    struct call *outer;
    struct site *site;
    int32_t count;
    void **pointers;
    const int64_t *sizes;
    void *const *names;
    uint64_t begin, mapped; /* bytes that a launch's variables hold on the device, or 0 if that is not known */
};

/* What a thread has done since its notes were last added up: a whole call, or an operation in it. Only the thread itself writes
 * notes, without a lock. They are added up when there is no room for more, and at the end of the thread or of the program.
 * They are few enough to stay in a core's own cache beside the program's data. */
struct note {
    struct site *site;
    const char *name; /* of the variable */
    uint64_t begin, end, bytes, mapped;
    int32_t what, device;
    uint32_t teams, threads, on_host;
};

enum { NOTES = 256 };

struct thread {
    struct thread *next;
    struct call *call;
    struct call in_order; /* a launch in a run, or the wait for a run */
    struct site *run; /* the first region that was launched in the run */
    struct site *operation; /* what the operation that the thread is in belongs to, and when it has begun */
    uint64_t operation_begin;
    uint32_t number, note_count;
    int is_ended, device;
    struct note notes[NOTES];
};
static struct thread *threads;
/* The library is there when the program starts, so this needs no call. */
static __thread __attribute__((tls_model("initial-exec"))) struct thread *own;
static pthread_key_t at_thread_end;
static void start(void);

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct site *known_site(struct site *site, const char *source, const void *caller, enum kind kind)
{
    for (; site; site = site->next)
        if (site->source == source && site->kind == kind && (source || site->caller == caller))
            return site;
    return NULL;
}

static struct site *new_site(struct site **bucket, const char *source, const void *caller, enum kind kind)
{
    struct site *site;
    if (site_count == sizeof(sites) / sizeof(sites[0]) || !(site = calloc(1, sizeof(*site))))
        return NULL;
    site->source = source;
    site->caller = caller;
    site->kind = kind;
    site->number = site_count;
    site->least = UINT64_MAX;
    site->teams_least = site->threads_least = UINT32_MAX;
    site->next = *bucket;
    sites[site_count++] = site;
    __atomic_store_n(bucket, site, __ATOMIC_RELEASE);
    return site;
}

/* Sites that are there already are found without the lock. */
static struct site *find_site(const char *source, const void *caller, enum kind kind)
{
    const uintptr_t key = source ? (uintptr_t)source : (uintptr_t)caller;
    struct site **const bucket = &buckets[(key >> 3 ^ key >> 15 ^ (uintptr_t)kind) % BUCKETS];
    struct site *site = known_site(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), source, caller, kind);
    if (site)
        return site;
    pthread_mutex_lock(&lock);
    site = known_site(*bucket, source, caller, kind);
    site = site ? site : new_site(bucket, source, caller, kind);
    pthread_mutex_unlock(&lock);
    return site;
}

/* Adding up, with the lock held. */

static void add_event(const struct site *site, int what, uint64_t begin, uint64_t end, uint64_t bytes, uint32_t thread)
{
    if (event_count == event_room) {
        event_dropped += event_room > 0; /* otherwise nobody wants any */
        return;
    }
    events[event_count++] = (struct event){
        (int64_t)(begin - begun), end - begin, bytes, thread, (uint16_t)site->number, (int16_t)what};
}

static void add(struct total *total, uint64_t bytes, uint64_t time)
{
    ++total->count;
    total->bytes += bytes;
    total->time += time;
}

static struct variable *find_variable(struct site *site, const char *name)
{
    unsigned int i;
    for (i = 0; i < site->variable_count; ++i)
        if (site->variables[i].name == name)
            return &site->variables[i];
    if (site->variable_count == VARIABLES)
        return NULL;
    site->variables[i].name = name;
    ++site->variable_count;
    return &site->variables[i];
}

static void add_whole(struct site *site, uint64_t time)
{
    ++site->count;
    site->time += time;
    site->least = time < site->least ? time : site->least;
    site->most = time > site->most ? time : site->most;
}

static void add_shape(struct site *site, const struct note *note)
{
    site->on_host += note->on_host;
    if (note->mapped)
        add(&site->mapped, note->mapped, 0);
    site->device = note->device >= 0 ? (uint32_t)note->device : site->device;
    site->teams_least = note->teams < site->teams_least ? note->teams : site->teams_least;
    site->teams_most = note->teams > site->teams_most ? note->teams : site->teams_most;
    site->threads_least = note->threads < site->threads_least ? note->threads : site->threads_least;
    site->threads_most = note->threads > site->threads_most ? note->threads : site->threads_most;
}

static void add_note(const struct note *note, uint32_t thread)
{
    struct site *const site = note->site;
    const uint64_t time = note->end - note->begin;
    struct variable *variable;
    if (note->what < 0 || site->kind == OTHER)
        add_whole(site, time);
    if (note->what < 0 && site->kind == KERNEL)
        add_shape(site, note);
    if (note->what >= 0) {
        add(&site->operations[note->what], note->bytes, time);
        variable = note->name ? find_variable(site, note->name) : NULL;
        if (variable)
            add(&variable->operations[note->what], note->bytes, time);
    }
    add_event(site, note->what, note->begin, note->end, note->bytes, thread);
}

static void add_notes(struct thread *thread)
{
    const uint32_t count = __atomic_load_n(&thread->note_count, __ATOMIC_ACQUIRE);
    uint32_t i;
    for (i = 0; i < count && !is_written; ++i)
        add_note(&thread->notes[i], thread->number);
    thread->note_count = 0;
}

/* Threads */

static void thread_ends(void *data)
{
    struct thread *const thread = data;
    pthread_mutex_lock(&lock);
    add_notes(thread);
    thread->is_ended = 1;
    pthread_mutex_unlock(&lock);
    own = NULL;
}

/* The notes of this thread. Those of a thread that has ended are used again. */
static struct thread *this_thread(void)
{
    struct thread *thread = own;
    if (thread)
        return thread;
    start();
    pthread_mutex_lock(&lock);
    for (thread = threads; thread && !thread->is_ended; thread = thread->next)
        ;
    if (!thread && (thread = calloc(1, sizeof(*thread)))) {
        thread->next = threads;
        threads = thread;
    }
    if (!thread)
        abort();
    thread->is_ended = 0;
    thread->call = NULL;
    thread->run = NULL;
    thread->operation = NULL;
    thread->number = (uint32_t)syscall(SYS_gettid);
    pthread_mutex_unlock(&lock);
    pthread_setspecific(at_thread_end, thread);
    return own = thread;
}

/* The thread's next note, which counts when it is `noted`. */
static struct note *next_note(struct thread *thread, struct site *site, int32_t what, uint64_t begin, uint64_t end)
{
    struct note *const note = &thread->notes[thread->note_count];
    note->site = site;
    note->name = NULL;
    note->begin = begin;
    note->end = end;
    note->bytes = 0;
    note->what = what;
    return note;
}

static void noted(struct thread *thread)
{
    if (!thread->notes[thread->note_count].site)
        return;
    __atomic_store_n(&thread->note_count, thread->note_count + 1, __ATOMIC_RELEASE);
    if (thread->note_count < NOTES)
        return;
    pthread_mutex_lock(&lock);
    add_notes(thread);
    pthread_mutex_unlock(&lock);
}

/* What is on the device: where it is on the host, in order, and its size. It answers for rows that have no size themselves,
 * such as those of pointers that a region only uses. */

struct stretch {
    const char *begin, *end;
};

enum { PRESENT = 1 << 12 };

static struct stretch present[PRESENT];
static size_t present_count;
static pthread_mutex_t present_lock = PTHREAD_MUTEX_INITIALIZER;

/* The first one that ends behind an address. */
static size_t present_from(const char *address)
{
    size_t low = 0, high = present_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (present[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What was there before is gone: the runtime does not say of which memory of the host a copy is released. */
static void becomes_present(const char *begin, uint64_t bytes)
{
    size_t first, last;
    pthread_mutex_lock(&present_lock);
    first = last = present_from(begin);
    while (last < present_count && present[last].begin < begin + bytes)
        ++last;
    if (first < last || present_count < PRESENT) {
        memmove(&present[first + 1], &present[last], (present_count - last) * sizeof(present[0]));
        present_count -= last - first;
        ++present_count;
        present[first] = (struct stretch){begin, begin + bytes};
    }
    pthread_mutex_unlock(&present_lock);
}

static uint64_t bytes_present(const char *address)
{
    uint64_t bytes = 0;
    size_t at;
    pthread_mutex_lock(&present_lock);
    at = present_from(address);
    if (at < present_count && present[at].begin <= address)
        bytes = (uint64_t)(present[at].end - present[at].begin);
    pthread_mutex_unlock(&present_lock);
    return bytes;
}

/* The bytes that the rows of a launch hold on the device, or 0 if that is not known of each. A part of an object is in the
 * object's row, unless a pointer leads to it. */
static uint64_t bytes_of_rows(const struct kernel_arguments *arguments)
{
    const int64_t pointed = 0x10, literal = 0x100, part = (int64_t)0xffff << 48;
    uint64_t all = 0, bytes;
    uint32_t i;
    for (i = 0; i < arguments->count; ++i) {
        const int64_t type = arguments->types[i];
        if (type & literal || (type & part && !(type & pointed)))
            continue;
        bytes = arguments->sizes[i] > 0 ? (uint64_t)arguments->sizes[i] : bytes_present(arguments->pointers[i]);
        if (!bytes)
            return 0;
        all += bytes;
    }
    return all;
}

static void enter(struct call *call, const struct location *location, const void *caller, enum kind kind, int32_t count,
                  void **pointers, const int64_t *sizes, void *const *names)
{
    struct thread *const thread = this_thread();
    const char *source = location ? location->source : NULL;
    if (source && strncmp(source, ";unknown;", 9) == 0) /* clang without -g */
        source = NULL;
    call->site = find_site(source, caller, kind);
    call->count = count;
    call->pointers = pointers;
    call->sizes = sizes;
    call->names = names;
    call->outer = thread->call;
    thread->call = call;
    thread->device = -1;
    call->begin = now();
}

/* The runtime adds rows of its own to the arguments, so they are looked at before it gets them. */
static void enter_kernel(struct call *call, const struct location *location, const void *caller,
                         const struct kernel_arguments *arguments)
{
    call->mapped = bytes_of_rows(arguments);
    enter(call, location, caller, KERNEL, (int32_t)arguments->count, arguments->pointers, arguments->sizes,
          arguments->names);
}

static void leave(struct call *call)
{
    const uint64_t end = now();
    struct thread *const thread = this_thread();
    thread->call = call->outer;
    next_note(thread, call->site, -1, call->begin, end);
    noted(thread);
}

static void leave_kernel(struct call *call, int32_t teams, int32_t threads_of_team, const struct kernel_arguments *arguments,
                         int result)
{
    /* Kernels in tiles have two dimensions. The runtime writes 1 into unused ones. */
    const uint32_t more_teams = arguments->teams[1] > 1 ? arguments->teams[1] : 1;
    const uint32_t more_threads = arguments->threads[1] > 1 ? arguments->threads[1] : 1;
    const uint64_t end = now();
    struct thread *const thread = this_thread();
    struct note *const note = next_note(thread, call->site, -1, call->begin, end);
    thread->call = call->outer;
    note->device = thread->device;
    note->teams = teams > 0 ? (uint32_t)teams * more_teams : 0;
    note->threads = threads_of_team > 0 ? (uint32_t)threads_of_team * more_threads : 0;
    note->on_host = result != 0;
    note->mapped = call->mapped;
    noted(thread);
}

/* The functions that are wrapped, found where the program's own calls would have found them. */

struct library {
    const char *part; /* of its name */
    const char *name;
};

static int find_library(struct dl_phdr_info *info, size_t size, void *wanted)
{
    struct library *const library = wanted;
    (void)size;
    if (!info->dlpi_name || !strstr(info->dlpi_name, library->part))
        return 0;
    library->name = info->dlpi_name;
    return 1;
}

static void *original(const char *name)
{
    struct library library = {"libomptarget.so", NULL};
    void *handle, *function = dlsym(RTLD_NEXT, name);
    if (function)
        return function;
    dl_iterate_phdr(find_library, &library); /* the program has loaded it for itself alone */
    handle = library.name ? dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    function = handle ? dlsym(handle, name) : NULL;
    if (!function) {
        fprintf(stderr, "rex-build profile: libomptarget has no %s\n", name);
        abort();
    }
    return function;
}

#define ORIGINAL(function)                                                                                              \
    static __typeof__(&function) real;                                                                                  \
    if (!real)                                                                                                          \
        *(void **)&real = original(#function)

int __tgt_target_kernel(struct location *location, int64_t device, int32_t teams, int32_t threads, void *host_id,
                        struct kernel_arguments *arguments)
{
    struct call call = {0};
    int result;
    ORIGINAL(__tgt_target_kernel);
    enter_kernel(&call, location, __builtin_return_address(0), arguments);
    result = real(location, device, teams, threads, host_id, arguments);
    leave_kernel(&call, teams, threads, arguments, result);
    return result;
}

int __tgt_target_kernel_nowait(struct location *location, int64_t device, int32_t teams, int32_t threads, void *host_id,
                               struct kernel_arguments *arguments, int32_t count, void *list, int32_t more, void *others)
{
    struct call call = {0};
    int result;
    ORIGINAL(__tgt_target_kernel_nowait);
    enter_kernel(&call, location, __builtin_return_address(0), arguments);
    result = real(location, device, teams, threads, host_id, arguments, count, list, more, others);
    leave_kernel(&call, teams, threads, arguments, result);
    return result;
}

/* A run maps its regions' data itself. */
static int is_in_region(void)
{
    const struct call *const call = this_thread()->call;
    return call && call->site && call->site->kind == KERNEL;
}

#define DATA(name, kind)                                                                                                \
    void name##_mapper(struct location *location, int64_t device, int32_t count, void **bases, void **pointers,        \
                       int64_t *sizes, int64_t *types, void **names, void **mappers)                                   \
    {                                                                                                                   \
        struct call call = {0};                                                                                         \
        ORIGINAL(name##_mapper);                                                                                        \
        if (is_in_region()) {                                                                                           \
            real(location, device, count, bases, pointers, sizes, types, names, mappers);                               \
            return;                                                                                                     \
        }                                                                                                               \
        enter(&call, location, __builtin_return_address(0), kind, count, pointers, sizes, names);                       \
        real(location, device, count, bases, pointers, sizes, types, names, mappers);                                   \
        leave(&call);                                                                                                   \
    }                                                                                                                   \
    void name##_nowait_mapper(struct location *location, int64_t device, int32_t count, void **bases, void **pointers, \
                              int64_t *sizes, int64_t *types, void **names, void **mappers, int32_t waits, void *list,  \
                              int32_t more, void *others)                                                               \
    {                                                                                                                   \
        struct call call = {0};                                                                                         \
        ORIGINAL(name##_nowait_mapper);                                                                                 \
        enter(&call, location, __builtin_return_address(0), kind, count, pointers, sizes, names);                       \
        real(location, device, count, bases, pointers, sizes, types, names, mappers, waits, list, more, others);        \
        leave(&call);                                                                                                   \
    }

DATA(__tgt_target_data_begin, DATA_BEGIN)
DATA(__tgt_target_data_end, DATA_END)
DATA(__tgt_target_data_update, UPDATE)

/* Regions of a run, which rex_in_order.h launches without libomptarget. Each launch, and each wait, is between two calls. */

static void in_order_begins(const struct location *location, const struct kernel_arguments *arguments)
{
    struct thread *const thread = this_thread();
    enter_kernel(&thread->in_order, location, NULL, arguments);
    if (thread->in_order.site)
        thread->in_order.site->run = thread->run ? thread->run : thread->in_order.site;
}

static void in_order_ends(int32_t device, const struct kernel_arguments *arguments, int is_launched)
{
    struct thread *const thread = this_thread();
    thread->device = device;
    if (!is_launched) { /* libomptarget does */
        thread->call = thread->in_order.outer;
        return;
    }
    if (!thread->run)
        thread->run = thread->in_order.site;
    leave_kernel(&thread->in_order, (int32_t)arguments->teams[0], (int32_t)arguments->threads[0], arguments, 0);
}

static void wait_begins(void)
{
    struct thread *const thread = this_thread();
    thread->in_order = (struct call){.outer = thread->call, .site = thread->run, .begin = now()};
    thread->call = &thread->in_order;
}

static void wait_ends(void)
{
    const uint64_t end = now();
    struct thread *const thread = this_thread();
    thread->call = thread->in_order.outer;
    next_note(thread, thread->run, WAIT, thread->in_order.begin, end);
    noted(thread);
    thread->run = NULL;
}

/* The functions for rex_in_order.h, as it has them. NULL if nothing knows the kernels' times: then they are waited for. */
const struct in_order {
    void (*begins)(const struct location *, const struct kernel_arguments *);
    void (*ends)(int32_t, const struct kernel_arguments *, int);
    void (*wait_begins)(void), (*wait_ends)(void);
} *rex_profile_in_order(void)
{
    static const struct in_order functions = {in_order_begins, in_order_ends, wait_begins, wait_ends};
    return has_cupti ? &functions : NULL;
}

static void start_cupti(void);
static void flush_cupti(void);

/* When its first images are registered, libomptarget looks for `libomp.so` to connect the tool. Packages have only
 * `libomp.so.5`. So the library that is in use gets the other name in a folder of LD_LIBRARY_PATH. */
static void offer_libomp(void)
{
    const char *folder = getenv("REX_PROFILE_LIBRARIES");
    struct library library = {"/libomp.so", NULL};
    char name[4096], *target;
    if (!folder || !dl_iterate_phdr(find_library, &library) || !(target = realpath(library.name, NULL)))
        return;
    snprintf(name, sizeof(name), "%s/libomp.so", folder);
    (void)!symlink(target, name);
    free(target);
}

void __tgt_register_lib(void *descriptor)
{
    struct call call = {0};
    ORIGINAL(__tgt_register_lib);
    offer_libomp();
    start_cupti();
    enter(&call, NULL, NULL, START, 0, NULL, NULL, NULL);
    real(descriptor);
    leave(&call);
}

/* The GPU's records are asked for while there still is a GPU. */
void __tgt_unregister_lib(void *descriptor)
{
    ORIGINAL(__tgt_unregister_lib);
    flush_cupti();
    real(descriptor);
}

/* OMPT */

/* The row of the current call that has an address of the host's. */
static const char *name_of(const struct call *call, const void *address)
{
    int32_t i, best = -1;
    if (!call || !call->names || !call->pointers || !call->sizes)
        return NULL;
    for (i = 0; i < call->count; ++i) {
        const char *const begin = call->pointers[i];
        if ((const char *)address < begin || (const char *)address >= begin + call->sizes[i])
            continue;
        if (best < 0 || call->sizes[i] <= call->sizes[best]) /* the part, not the object around it */
            best = i;
    }
    return best < 0 ? NULL : call->names[best];
}

/* Outside of directives an operation belongs to its own caller. */
static void operation_begins(const void *caller)
{
    struct thread *const thread = this_thread();
    thread->operation = thread->call ? thread->call->site : find_site(NULL, caller, OTHER);
    thread->operation_begin = now();
}

static void operation_ends(enum operation what, const void *host, uint64_t bytes)
{
    const uint64_t end = now();
    struct thread *const thread = this_thread();
    struct note *const note = next_note(thread, thread->operation, (int32_t)what, thread->operation_begin, end);
    note->name = host ? name_of(thread->call, host) : NULL;
    note->bytes = bytes;
    thread->operation = NULL;
    noted(thread);
}

static void on_data_op(int endpoint, ompt_data *task, ompt_data *target, uint64_t *id, int operation, void *from,
                       int from_device, void *to, int to_device, size_t bytes, const void *caller)
{
    (void)task, (void)target, (void)id, (void)from_device, (void)to_device;
    if (endpoint == OMPT_BEGIN)
        operation_begins(caller);
    if (endpoint != OMPT_END)
        return;
    if (operation == OMPT_TO_DEVICE || operation == OMPT_TO_DEVICE_ASYNC)
        operation_ends(TO_DEVICE, from, bytes);
    else if (operation == OMPT_FROM_DEVICE || operation == OMPT_FROM_DEVICE_ASYNC)
        operation_ends(FROM_DEVICE, to, bytes);
    else if (operation == OMPT_ALLOC) {
        becomes_present(from, bytes);
        operation_ends(ALLOCATE, from, bytes);
    }
    else if (operation == OMPT_DELETE)
        operation_ends(RELEASE, NULL, bytes);
}

static void on_submit(int endpoint, ompt_data *target, uint64_t *id, unsigned int teams)
{
    (void)target, (void)id, (void)teams;
    if (endpoint == OMPT_BEGIN)
        operation_begins(NULL);
    else if (endpoint == OMPT_END)
        operation_ends(LAUNCH, NULL, 0);
}

static void on_target(int kind, int endpoint, int device, ompt_data *task, ompt_data *task_data, ompt_data *target,
                      const void *caller)
{
    (void)kind, (void)task, (void)task_data, (void)target, (void)caller;
    if (endpoint == OMPT_BEGIN)
        this_thread()->device = device;
}

static void ask_driver(void)
{
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    int (*attribute)(int *, int, int) = NULL, (*text)(char *, int, int) = NULL;
    size_t i;
    if (!driver)
        return;
    *(void **)&attribute = dlsym(driver, "cuDeviceGetAttribute");
    for (i = 0; attribute && i < CARD_NUMBERS; ++i)
        if (attribute(&card_numbers[i].value, card_numbers[i].attribute, 0))
            card_numbers[i].value = 0;
    *(void **)&text = dlsym(driver, "cuDeviceGetName");
    if (text)
        text(card, sizeof(card), 0);
    *(void **)&text = dlsym(driver, "cuDeviceGetPCIBusId");
    if (text)
        text(card_place, sizeof(card_place), 0);
}

static void on_device(int number, const char *type, void *device, ompt_lookup lookup, const char *documentation)
{
    (void)device, (void)lookup, (void)documentation;
    ask_driver();
    if (number >= 0 && number < 16)
        snprintf(devices[number], sizeof(devices[number]), "%s", type ? type : "");
}

static void write_profile(void);

static int initialize(ompt_lookup lookup, int device, ompt_data *data)
{
    int (*set)(int, ompt_function) = (int (*)(int, ompt_function))lookup("ompt_set_callback");
    (void)device, (void)data;
    if (!set)
        return 0;
    set(OMPT_DEVICE_INITIALIZE, (ompt_function)on_device);
    set(OMPT_TARGET_EMI, (ompt_function)on_target);
    set(OMPT_SUBMIT_EMI, (ompt_function)on_submit);
    has_ompt = set(OMPT_DATA_OP_EMI, (ompt_function)on_data_op) == 5; /* always called */
    return 1;
}

static void finalize(ompt_data *data)
{
    (void)data;
    write_profile();
}

struct ompt_start_tool_result *ompt_start_tool(unsigned int version, const char *runtime)
{
    static struct ompt_start_tool_result result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    if (!getenv("REX_PROFILE_DIR"))
        return NULL;
    return &result;
}

/* CUPTI. Its records have had the same first members since CUDA 9. */

struct __attribute__((packed, aligned(8))) kernel_record {
    int32_t kind;
    uint8_t cache, shared;
    uint16_t registers;
    int32_t requested, executed;
    uint64_t begin, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], memory[2];
    uint32_t local[2], correlation;
};
struct __attribute__((packed, aligned(8))) copy_record {
    int32_t kind;
    uint8_t direction, from, to, flags;
    uint64_t bytes, begin, end;
    uint32_t device, context, stream, correlation;
};
/* What a callback of CUPTI gets. */
struct cupti_call {
    int32_t site; /* 0: the call begins */
    const char *function;
    const void *parameters;
    void *result;
    const char *symbol;
    void *context;
    uint32_t context_number;
    uint64_t *data;
    uint32_t correlation;
};
_Static_assert(offsetof(struct kernel_record, correlation) == 92, "kernel record");
_Static_assert(offsetof(struct copy_record, correlation) == 44, "copy record");
_Static_assert(offsetof(struct cupti_call, correlation) == 64, "call");

enum { RECORD_COPY = 1, RECORD_KERNEL = 10, COPY_TO = 1, COPY_FROM = 2, CUPTI_DRIVER = 1 };
enum { CUPTI_BUFFER = 1 << 18 };

/* Numbers of functions of the CUDA driver: cuLaunchKernel, cuLaunchKernelEx, cuLaunchCooperativeKernel, cuMemcpyHtoD,
 * cuMemcpyHtoDAsync, cuMemcpyDtoH and cuMemcpyDtoHAsync. */
static const uint32_t cupti_calls[] = {307, 652, 477, 276, 277, 278, 279};

static int (*cupti_flush)(uint32_t), (*cupti_next)(uint8_t *, size_t, void **);
static int64_t cupti_shift; /* from CUPTI's clock to ours */

/* Which site an operation of the GPU belongs to: one more than its number, above the operation's number. The thread that
 * starts the operation notes that before. Places are used again after many operations, when the old one's record has come. */
enum { CORRELATIONS = 1 << 18 };
static uint64_t correlations[CORRELATIONS];

static void on_cupti_call(void *user, int domain, uint32_t function, const struct cupti_call *call)
{
    const struct thread *const thread = own;
    const struct site *site = !thread ? NULL : thread->call ? thread->call->site : thread->operation;
    (void)user, (void)domain, (void)function;
    if (call->site == 0)
        __atomic_store_n(&correlations[call->correlation % CORRELATIONS],
                         (uint64_t)(site ? site->number + 1 : 0) << 32 | call->correlation, __ATOMIC_RELAXED);
}

static struct site *correlated(uint32_t correlation)
{
    const uint64_t noted = __atomic_load_n(&correlations[correlation % CORRELATIONS], __ATOMIC_RELAXED);
    return (uint32_t)noted == correlation && noted >> 32 ? sites[(noted >> 32) - 1] : NULL;
}

static void buffer_requested(uint8_t **buffer, size_t *size, size_t *most)
{
    *most = 0;
    *size = CUPTI_BUFFER;
    if (posix_memalign((void **)buffer, 8, CUPTI_BUFFER))
        *buffer = NULL, *size = 0;
}

static void gpu_operation(struct site *site, enum operation what, uint64_t begin, uint64_t end, uint64_t bytes, uint32_t stream)
{
    if (!site)
        return;
    add(&site->gpu[what], bytes, end - begin);
    add_event(site, (int)what + 16, begin + (uint64_t)cupti_shift, end + (uint64_t)cupti_shift, bytes, stream);
}

static void gpu_kernel(struct site *site, const struct kernel_record *kernel)
{
    const uint64_t time = kernel->end - kernel->begin;
    gpu_operation(site, LAUNCH, kernel->begin, kernel->end, 0, kernel->stream);
    if (!site || time < site->kernel.time)
        return;
    site->kernel = (struct kernel){
        .time = time,
        .blocks = (uint64_t)kernel->grid[0] * (uint64_t)kernel->grid[1] * (uint64_t)kernel->grid[2],
        .threads = (uint32_t)(kernel->block[0] * kernel->block[1] * kernel->block[2]),
        .registers = kernel->registers,
        .shared = (uint32_t)(kernel->memory[0] + kernel->memory[1]),
    };
}

static void buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    void *record = NULL;
    (void)context, (void)stream, (void)size;
    pthread_mutex_lock(&lock);
    while (cupti_next(buffer, valid, &record) == 0) {
        const struct kernel_record *const kernel = record;
        const struct copy_record *const copy = record;
        if (kernel->kind == RECORD_KERNEL)
            gpu_kernel(correlated(kernel->correlation), kernel);
        else if (copy->kind == RECORD_COPY && (copy->direction == COPY_TO || copy->direction == COPY_FROM))
            gpu_operation(correlated(copy->correlation), copy->direction == COPY_TO ? TO_DEVICE : FROM_DEVICE,
                          copy->begin, copy->end, copy->bytes, copy->stream);
    }
    pthread_mutex_unlock(&lock);
    free(buffer);
}

static void start_cupti(void)
{
    static const char *const names[] = {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};
    static int is_tried;
    const char *given = getenv("REX_PROFILE_CUPTI");
    int (*enable)(int), (*timestamp)(uint64_t *), (*enable_callback)(uint32_t, void *, int, uint32_t);
    int (*subscribe)(void **, void (*)(void *, int, uint32_t, const struct cupti_call *), void *);
    int (*callbacks)(void (*)(uint8_t **, size_t *, size_t *), void (*)(void *, uint32_t, uint8_t *, size_t, size_t));
    uint64_t stamp;
    void *library = NULL, *subscriber;
    size_t i;
    if (is_tried)
        return;
    is_tried = 1;
    if (given && !*given) /* switched off */
        return;
    if (!dlopen("libcuda.so.1", RTLD_LAZY))
        return;
    if (given)
        library = dlopen(given, RTLD_LAZY);
    for (i = 0; !library && i < sizeof(names) / sizeof(names[0]); ++i)
        library = dlopen(names[i], RTLD_LAZY);
    if (!library)
        return;
    *(void **)&cupti_flush = dlsym(library, "cuptiActivityFlushAll");
    *(void **)&cupti_next = dlsym(library, "cuptiActivityGetNextRecord");
    *(void **)&enable = dlsym(library, "cuptiActivityEnable");
    *(void **)&timestamp = dlsym(library, "cuptiGetTimestamp");
    *(void **)&subscribe = dlsym(library, "cuptiSubscribe");
    *(void **)&enable_callback = dlsym(library, "cuptiEnableCallback");
    *(void **)&callbacks = dlsym(library, "cuptiActivityRegisterCallbacks");
    if (!cupti_flush || !cupti_next || !enable || !timestamp || !subscribe || !enable_callback || !callbacks)
        return;
    if (subscribe(&subscriber, on_cupti_call, NULL) || callbacks(buffer_requested, buffer_completed) || enable(RECORD_KERNEL)
        || enable(RECORD_COPY) || timestamp(&stamp))
        return;
    for (i = 0; i < sizeof(cupti_calls) / sizeof(cupti_calls[0]); ++i)
        enable_callback(1, subscriber, CUPTI_DRIVER, cupti_calls[i]);
    cupti_shift = (int64_t)now() - (int64_t)stamp;
    has_cupti = 1;
}

static void flush_cupti(void)
{
    if (has_cupti)
        cupti_flush(1);
}

/* Output */

static struct {
    int file;
    size_t used;
    char text[1 << 16];
} out;

static void write_to(int file, const void *data, size_t size)
{
    size_t done = 0;
    ssize_t length = 1;
    for (; done < size && length > 0; done += (size_t)length)
        length = write(file, (const char *)data + done, size - done);
}

static void write_out(void)
{
    write_to(out.file, out.text, out.used);
    out.used = 0;
}

static void write_byte(char byte)
{
    if (out.used == sizeof(out.text))
        write_out();
    out.text[out.used++] = byte;
}

static void write_text(const char *text)
{
    while (*text)
        write_byte(*text++);
}

__attribute__((format(printf, 1, 2))) static void print(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    write_text(text);
}

static void write_string(const char *text)
{
    write_byte('"');
    for (; text && *text; ++text) {
        if (*text == '"' || *text == '\\')
            write_byte('\\');
        if ((unsigned char)*text < ' ')
            print("\\u%04x", (unsigned char)*text);
        else
            write_byte(*text);
    }
    write_byte('"');
}

static void write_totals(const char *name, const struct total *totals)
{
    const char *comma = "";
    int i;
    print(", \"%s\": {", name);
    for (i = 0; i < OPERATIONS; ++i)
        if (totals[i].count) {
            print("%s\"%s\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", comma, operation_names[i], totals[i].count,
                  totals[i].bytes, totals[i].time);
            comma = ", ";
        }
    write_text("}");
}

static void write_site(const struct site *site)
{
    Dl_info info;
    unsigned int i;
    print("{\"kind\": \"%s\", \"count\": %" PRIu64 ", \"time\": %" PRIu64, kind_names[site->kind], site->count, site->time);
    if (site->source) {
        write_text(", \"source\": ");
        write_string(site->source);
    }
    if (site->caller && dladdr(site->caller, &info)) {
        write_text(", \"object\": ");
        write_string(info.dli_fname);
        print(", \"offset\": %" PRIuPTR ", \"symbol\": ", (uintptr_t)site->caller - (uintptr_t)info.dli_fbase);
        write_string(info.dli_sname ? info.dli_sname : "");
    }
    if (site->count && site->least <= site->most)
        print(", \"least\": %" PRIu64 ", \"most\": %" PRIu64, site->least, site->most);
    if (site->teams_least <= site->teams_most)
        print(", \"teams\": [%u, %u], \"threads\": [%u, %u], \"on_host\": %" PRIu64 ", \"device\": %u", site->teams_least,
              site->teams_most, site->threads_least, site->threads_most, site->on_host, site->device);
    if (site->mapped.count)
        print(", \"mapped\": [%" PRIu64 ", %" PRIu64 ", 0]", site->mapped.count, site->mapped.bytes);
    if (site->kernel.threads)
        print(", \"kernel\": [%" PRIu64 ", %u, %u, %u]", site->kernel.blocks, site->kernel.threads, site->kernel.registers,
              site->kernel.shared);
    if (site->run)
        print(", \"run\": %u", site->run->number);
    write_totals("operations", site->operations);
    write_totals("gpu", site->gpu);
    write_text(", \"variables\": [");
    for (i = 0; i < site->variable_count; ++i) {
        write_text(i ? ", {\"name\": " : "{\"name\": ");
        write_string(site->variables[i].name);
        write_totals("operations", site->variables[i].operations);
        write_text("}");
    }
    write_text("]}");
}

static void write_card(void)
{
    size_t i;
    write_text(", \"card\": {\"name\": ");
    write_string(card);
    write_text(", \"place\": ");
    write_string(card_place);
    for (i = 0; i < CARD_NUMBERS; ++i)
        print(", \"%s\": %d", card_numbers[i].name, card_numbers[i].value);
    write_text("}");
}

static void write_all(uint64_t end)
{
    static char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    unsigned int i;
    program[length > 0 ? length : 0] = 0;
    print("{\"process\": %d, \"time\": %" PRIu64 ", \"ompt\": %s, \"cupti\": %s, \"dropped\": %" PRIu64 ", \"program\": ",
          (int)process, end - begun, has_ompt ? "true" : "false", has_cupti ? "true" : "false", event_dropped);
    write_string(program);
    write_card();
    write_text(", \"devices\": [");
    for (i = 0; i < 16; ++i) {
        write_text(i ? ", " : "");
        write_string(devices[i]);
    }
    write_text("], \"sites\": [");
    for (i = 0; i < site_count; ++i) {
        write_text(i ? ",\n" : "\n");
        write_site(sites[i]);
    }
    write_text("]}\n");
}

static int new_file(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static void write_events(const char *name)
{
    const int file = event_count ? new_file(name) : -1;
    if (file < 0)
        return;
    write_to(file, events, event_count * sizeof(*events));
    close(file);
}

/* The thread that a signal interrupts may have the lock. */
static int can_lock(void)
{
    const struct timespec pause = {0, 1000000};
    int tries;
    for (tries = 0; tries < 1000; ++tries) {
        if (pthread_mutex_trylock(&lock) == 0)
            return 1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Nobody reads a file that is not complete. A child of vfork has its parent's memory, and ends by _exit. */
static void write_profile(void)
{
    static char part[4300], whole[4200], of_events[4200];
    const uint64_t end = now();
    struct thread *thread;
    if (is_written || !*folder || !site_count || getpid() != process)
        return;
    flush_cupti();
    if (!can_lock())
        return;
    snprintf(whole, sizeof(whole), "%s/%d.json", folder, (int)process);
    snprintf(part, sizeof(part), "%s.part", whole);
    snprintf(of_events, sizeof(of_events), "%s/%d.events", folder, (int)process);
    out.file = is_written ? -1 : new_file(part);
    if (out.file >= 0) {
        for (thread = threads; thread; thread = thread->next)
            add_notes(thread);
        is_written = 1;
        write_events(of_events);
        write_all(end);
        write_out();
        close(out.file);
        rename(part, whole);
    }
    pthread_mutex_unlock(&lock);
}

/* Ends that call no destructors */

void _exit(int status)
{
    write_profile();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void _Exit(int status)
{
    _exit(status);
}

/* The directives that the thread is in count, too. If an alarm comes first, the GPU's driver does not answer any more. */
static void on_signal(int number)
{
    struct thread *const thread = own;
    const uint64_t end = now();
    struct call *call;
    signal(number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(10);
    for (call = thread ? thread->call : NULL; call && call->site; call = call->outer)
        add_whole(call->site, end - call->begin);
    write_profile();
    raise(number);
}

/* A program that handles a signal, or ignores it, decides itself how it ends. */
static void handle_signals(void)
{
    static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGSEGV, SIGTERM};
    static char space[1 << 16]; /* a stack, if the program's own is full */
    const stack_t stack = {.ss_sp = space, .ss_size = sizeof(space)};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, before;
    size_t i;
    sigaltstack(&stack, NULL);
    for (i = 0; i < sizeof(signals) / sizeof(signals[0]); ++i)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

/* A child process begins with nothing: what its parent has done is in the parent's profile. */

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
    struct thread *thread;
    for (thread = threads; thread; thread = thread->next) {
        thread->note_count = 0;
        thread->is_ended = thread != own;
    }
    memset(buckets, 0, sizeof(buckets));
    present_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    present_count = 0;
    site_count = 0;
    event_count = event_dropped = 0;
    is_written = 0;
    process = getpid();
    begun = now();
    pthread_mutex_unlock(&lock);
}

static void start_once(void)
{
    const char *most = getenv("REX_PROFILE_EVENTS"), *given = getenv("REX_PROFILE_DIR");
    begun = now();
    process = getpid();
    pthread_key_create(&at_thread_end, thread_ends);
    if (!given)
        return;
    snprintf(folder, sizeof(folder), "%s", given);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    at_quick_exit(write_profile);
    handle_signals();
    event_room = most ? strtoull(most, NULL, 10) : 0;
    events = event_room ? calloc(event_room, sizeof(*events)) : NULL;
    if (!events)
        event_room = 0;
}

/* Libraries of the program may call the runtime before this library's own constructors are called. */
__attribute__((constructor)) static void start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
}

/* Programs whose libomp does not end in order. */
__attribute__((destructor)) static void stop(void)
{
    write_profile();
}
