/* The run-time library of the check device. Programs that are built for this device are linked with it.
 *
 * Device and host code is compiled with gcc's call-backs for loads and stores (-fsanitize=thread), which are answered here
 * instead of by libtsan. libomptarget's entry points are wrapped: their rows say what is mapped, by which directive, under
 * which name. While one of them runs, each memcpy of libomptarget is noted, so transfers are known exactly.
 *
 * Each mapped block has cells, one for a few bytes (a granule). A cell says which side has the newer value, whether the
 * value is defined, and which logical thread read and wrote it last. Logical threads are iterations of distributed loops
 * and threads of teams. An interval is what happens between two barriers of a team; it has a number of its own.
 * Accesses of two logical threads in the same interval, or of two teams in the same launch, conflict unless both are atomic
 * or, in one team, both hold a lock. What atomic accesses order is in atomic_order.h, what orders launches of several host
 * threads in host_order.h, and what orders tasks of device code in device_tasks.h.
 *
 * This library is compiled with -fno-builtin, because it defines memcpy and malloc itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <link.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define SLOW __attribute__((noinline, cold))
#define CALLER ((char *)__builtin_return_address(0))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* ---- interfaces of LLVM's runtime --------------------------------------------------------------------------------- */

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

struct entry {
    void *address;
    char *name;
    size_t size;
    int32_t flags, data;
};
struct image {
    void *begin, *end;
    struct entry *entries_begin, *entries_end;
};
struct descriptor {
    int32_t count;
    struct image *images;
    struct entry *entries_begin, *entries_end;
};

enum {
    ROW_TO = 1,
    ROW_FROM = 2,
    ROW_ALWAYS = 4,
    ROW_DELETE = 8,
    ROW_PTR_AND_OBJ = 16,
    ROW_PRIVATE = 0x80,
    ROW_LITERAL = 0x100,
    ROW_IMPLICIT = 0x200
};

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* A logical thread in an interval: interval:24, thread:10, loop:4, iteration:26. Iteration 0 is code outside of loops. */
typedef uint64_t who;
enum { ITERATION_BITS = 26, LOOP_BITS = 4, THREAD_BITS = 10, INTERVAL_SHIFT = 40, INTERVALS = 1 << 24 };

/* The state of a granule. Without a bit, both sides have the same defined value. */
enum {
    HOST_OLD = 1,      /* the device has a newer value */
    DEVICE_OLD = 2,    /* the host has a newer value */
    DEVICE_UNSET = 4,  /* the device's value is undefined */
    HOST_UNSET = 8,    /* the host has got an undefined value of the device */
    HOST_LOST = 16,    /* the host's value was overwritten with an older one of the device */
    MANY_READERS = 32, /* others than `reader` read, too, in its interval */
    REPORTED = 64,
    LACKING = 128 /* what the host holds, and has copied to the device, lacks a change that an earlier mapping has dropped, or
                   * with HOST_LOST a write of the host */
};

/* What orders an access: a lock by its number, or one that all teams share with this bit. */
enum { OF_ALL_TEAMS = 0x8000, ATOMIC = 0xffff, SEVERAL_LOCKS = 0x7fff };

struct cell {
    who writer, reader;
    uint32_t writer_site, reader_site; /* where the host has written instead, `writer` is 0 */
    uint16_t writer_lock, reader_lock;
    uint16_t host_value; /* a digest of the host's bytes when the device wrote, to notice writes of uninstrumented code */
    uint8_t state;
};

struct grid {
    unsigned int shift; /* a granule has 1 << shift bytes */
    size_t mask;        /* one less than that */
    int is_replaced;    /* by a finer one, or about to be: what is noted here now may be lost */
    size_t count;
    struct cell cells[];
};

enum block_kind { MAPPED, ALLOCATED, GLOBAL, STACK, HEAP, PLAIN }; /* HEAP: what device code allocates */

struct node {
    struct node *left, *right;
    uintptr_t begin, end;
    uint32_t priority;
};

struct past;

/* Device memory that belongs together, or what is remembered of the host's memory after it was unmapped. */
struct block {
    struct node on_device, on_host;
    char *begin, *host; /* host may be null */
    char *copied;       /* of a region's own copy whose original is mapped: the original */
    size_t size;
    size_t skipped, whole; /* of a part: the bytes of the mapping in front of it, and of all of it */
    struct grid *grid;
    int device;
    enum block_kind kind;
    uint8_t initial; /* state of cells that are not there yet */
    uint8_t is_used, is_own, is_listed, is_residue, is_freed;
    uint8_t is_parent;   /* it only holds members that the same directive maps */
    uint8_t keeps_order; /* of a residue that lacks nothing: it only says which regions of a parallel region of the host used it */
    const char *name;    /* ";a[0:n];file;line;column;;" */
    const char *where;   /* the directive: ";file;function;line;column;;" */
    const char *ended;   /* the directive that unmapped it */
    struct block *dropped; /* the mapping that has dropped what is LACKING */
    struct past *watched; /* until the host reads what was copied back */
    int64_t type;
    struct block *next, *sibling; /* sibling: the next of a region's own copies, which are is_own */
};

struct site {
    const char *caller;
    struct block *block, *host_block;
    uintptr_t gap_begin, gap_end;
    uint64_t gap_generation;
} __attribute__((aligned(64))); /* so its number is a shift away */

/* What a place of device code has accessed last, for usual_accesses.h. */
struct view {
    const char *caller, *begin;
    size_t limit; /* of offsets */
    struct cell *cells;
    const struct grid *grid;
    uint64_t generation;
    uint32_t site;
} __attribute__((aligned(64)));
enum { VIEWS = 512 };
static struct view no_views[VIEWS];

struct thread {
    int in_device, in_runtime, exclusive;
    who who, earlier; /* what has a number below `earlier` was done by an earlier launch; 0 if that orders nothing */
    struct view *views;
    uint32_t locks, loop;
    union {
        struct {
            uint16_t lock, is_fenced;
            uint32_t watching; /* a claim about its iterations is verified */
        };
        uint64_t is_ordered; /* by one of the first two, or is watched */
    };
    uint8_t uses_number, over_teams; /* the last: the iterations of its loop are shared out to several teams */
    struct meeting *meeting;
    struct host_thread *host; /* the calling thread, or the one that has launched the region */
    uint64_t held;            /* locks on the host */
    char *stack;       /* the thread's own part of its stack: no other thread sees it */
    size_t stack_size;  /* 0 while it runs host code */
    const char *updated; /* an object that it updates now, if it does */
    size_t updated_size;
    uint32_t update; /* the operation, or 0 if the order of updates matters */
    uint64_t accesses;
    struct call *call;
};

static __thread struct thread self = {.views = no_views};
static __thread struct {
    int depth, in_device, in_runtime;
} handling; /* handlers of signals that run, and what the thread was doing when the first one began */
static const struct thread *only_mapper, several_mappers; /* the one thread that has called libomptarget, if there is only one */

struct copy {
    char *to;
    const char *from;
    size_t size;
};

/* A call of libomptarget. */
struct call {
    struct call *outer;
    const struct location *location;
    const char *caller; /* in the host's code */
    int64_t device;
    int32_t count;
    void **bases, **pointers;
    int64_t *sizes, *types;
    void **names;
    uint8_t *is_new; /* for each row: nothing was mapped there before the call */
    int is_kernel, is_update, is_end, is_begun;
    struct copy *copies;
    size_t copy_count, copy_room;
    const char **packed_here; /* the scalars that the thread has passed by value, and how many there were */
    unsigned int packed;
    struct block *changed; /* the region's own copies of scalars that it changes */
};

static int is_active;           /* everything is set up, and REX_CHECK does not switch it off */
static int is_continuing, has_color;
static struct node *device_tree, *host_tree, *memory_tree, *stack_tree; /* memory: what malloc has given */
static uint64_t generation = 1; /* of the host tree and the device tree */
static struct block released[1024];
static unsigned int released_count;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* for the trees, and blocks in them */
static uint64_t regions, copied_to, copied_from, device_accesses;
static int has_free_tasks;      /* tasks that other threads may run */
static int has_one_memory; /* the program requires unified_shared_memory */
static __thread uint32_t current_launch;
enum { KNOWN_LAUNCHES = 1 << 16 }; /* more than threads launch while one of them waits to go on */
static const char *launch_places[KNOWN_LAUNCHES]; /* the directives of the latest launches */
static struct call *launch_calls[KNOWN_LAUNCHES];
enum { MAX_PACKED = 256 };
static __thread const char *packed[MAX_PACKED]; /* the scalars that this thread has passed by value lately */
static __thread unsigned int packed_count;

enum { SITES = 1 << 16 };
#define NO_SITE UINT32_MAX
static struct site sites[SITES];

struct interval {
    uint32_t launch, team, task;
    uint32_t phase, device_task; /* of a task of device code: the interval of the code around it, and the task's number */
    uint32_t root, slot; /* the host thread that has launched it */
    uint64_t held;       /* its locks */
};
static struct interval *intervals;
static uint32_t interval_count = 1, launch_count;

static void *(*real_memcpy)(void *, const void *, size_t), *(*real_memmove)(void *, const void *, size_t);
static void *(*real_memset)(void *, int, size_t);

static void *original(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "rex-build check: libomptarget has no %s\n", name);
        abort();
    }
    return function;
}

/* ---- trees of address ranges ---------------------------------------------------------------------------------------- */

static uint32_t next_priority(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static void split(struct node *tree, uintptr_t key, struct node **low, struct node **high)
{
    if (!tree) {
        *low = *high = NULL;
    } else if (tree->begin < key) {
        split(tree->right, key, &tree->right, high);
        *low = tree;
    } else {
        split(tree->left, key, low, &tree->left);
        *high = tree;
    }
}

static struct node *joined(struct node *low, struct node *high)
{
    if (!low || !high)
        return low ? low : high;
    if (low->priority > high->priority) {
        low->right = joined(low->right, high);
        return low;
    }
    high->left = joined(low, high->left);
    return high;
}

static void insert(struct node **tree, struct node *node)
{
    struct node *low, *high;
    node->priority = next_priority();
    node->left = node->right = NULL;
    split(*tree, node->begin, &low, &high);
    *tree = joined(joined(low, node), high);
}

static void take_out(struct node **tree, struct node *node)
{
    while (*tree && *tree != node)
        tree = node->begin < (*tree)->begin ? &(*tree)->left : &(*tree)->right;
    if (*tree)
        *tree = joined(node->left, node->right);
}

/* The last range that begins at or below `address`, and the first one above. */
static struct node *find(struct node *tree, uintptr_t address, struct node **above)
{
    struct node *best = NULL, *after = NULL;
    while (tree)
        if (tree->begin <= address) {
            best = tree;
            tree = tree->right;
        } else {
            after = tree;
            tree = tree->left;
        }
    if (above)
        *above = after;
    return best;
}

#define BLOCK_ON_DEVICE(node) ((struct block *)((char *)(node)-offsetof(struct block, on_device)))
#define BLOCK_ON_HOST(node) ((struct block *)((char *)(node)-offsetof(struct block, on_host)))

static struct block *device_block(const char *address)
{
    struct block *block;
    struct node *node;
    pthread_mutex_lock(&lock);
    node = find(device_tree, (uintptr_t)address, NULL);
    block = node && (uintptr_t)address < node->end ? BLOCK_ON_DEVICE(node) : NULL;
    pthread_mutex_unlock(&lock);
    return block;
}

/* In this order each of them uses what stands in front of it, and nothing behind. */
#include "memory.h"
#include "places.h"
#include "findings.h"
#include "written_findings.h"
#include "deferred_regions.h"
#include "host_order.h"
#include "advice.h"
#include "device_tasks.h"
#include "atomic_order.h"
#include "cells.h"
#include "blocks.h"
#include "allocators.h"
#include "static_objects.h"
#include "outside_accesses.h"
#include "usual_accesses.h"
#include "claim_counts.h"
#include "ending.h"
#include "claims.h"
#include "device_accesses.h"
#include "host_accesses.h"
#include "transfers.h"
#include "long_sections.h"
#include "own_copies.h"
#include "mapping.h"
#include "callbacks.h"
#include "c_library.h"
#include "device_calls.h"
#include "host_regions.h"
#include "libomptarget.h"
#include "crashes.h"
#include "signals.h"
#include "start.h"
