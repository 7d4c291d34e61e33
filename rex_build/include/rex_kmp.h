/* The part of LLVM libomptarget's binary interface that lowered host files use, LLVM 19 to 22 on 64-bit Linux.
 *
 * Included at the top of a user's translation unit in whatever C or C++ dialect that is written in. It therefore
 * includes no header and declares nothing outside the rex_, REX_ and __tgt_ names.
 */
#ifndef REX_KMP_H
#define REX_KMP_H

/* Around generated text in a function: remarks that a project asks its compiler for are about its own text. Blocks lie
 * within blocks, and all of them have the same names. */
#define REX_GENERATED_BEGIN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    _Pragma("GCC diagnostic ignored \"-Wcast-qual\"") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") \
    _Pragma("GCC diagnostic ignored \"-Wconversion\"") _Pragma("GCC diagnostic ignored \"-Wnested-externs\"") \
    _Pragma("GCC diagnostic ignored \"-Wvla\"") _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"") \
    _Pragma("GCC diagnostic ignored \"-Wpedantic\"")
#define REX_GENERATED_END _Pragma("GCC diagnostic pop")

typedef __INT32_TYPE__ rex_int32;
typedef __INT64_TYPE__ rex_int64;
typedef __UINT32_TYPE__ rex_uint32;
typedef __UINT64_TYPE__ rex_uint64;
typedef __SIZE_TYPE__ rex_size;

#ifdef __cplusplus
#define REX_ABI_ASSERT(condition) static_assert(condition, #condition)
extern "C" {
#else
#define REX_ABI_ASSERT(condition) __extension__ _Static_assert(condition, #condition)
#endif

/* One kernel (size 0, addr = its host identity) or one `declare target` variable (size in bytes, addr = the host
 * variable). This 32-byte layout is native up to LLVM 19 and recognised by later releases as long as the first
 * entry of a table has a non-null addr. */
struct __tgt_offload_entry {
    void *addr;
    char *name; /* device symbol */
    rex_size size;
    rex_int32 flags;
    rex_int32 data;
};
REX_ABI_ASSERT(sizeof(struct __tgt_offload_entry) == 32);

#define REX_ENTRY_LINK 0x1 /* flags: a `declare target link` variable */

/* Only a function knows the addresses of its static variables: their entries stand there, in a section of the unit's own,
 * from which they come to their places in the table before that is registered. */
#define REX_STATICS(unit) __attribute__((used, section("rex_statics_" unit), aligned(32)))
#define REX_STATIC ((void *)0)

struct __tgt_device_image {
    void *ImageStart;
    void *ImageEnd;
    struct __tgt_offload_entry *EntriesBegin;
    struct __tgt_offload_entry *EntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_device_image) == 32);

/* Must stay in place until it is unregistered: the runtime keeps the pointer. */
struct __tgt_bin_desc {
    rex_int32 NumDeviceImages;
    struct __tgt_device_image *DeviceImages;
    struct __tgt_offload_entry *HostEntriesBegin;
    struct __tgt_offload_entry *HostEntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_bin_desc) == 32);

/* Arguments of one launch. The runtime writes into the structure, so every launch needs a fresh one. */
struct __tgt_kernel_arguments {
    rex_uint32 Version; /* REX_KERNEL_ARGS_VERSION */
    rex_uint32 NumArgs; /* rows in the four arrays */
    void **ArgBasePtrs;
    void **ArgPtrs;
    const rex_int64 *ArgSizes; /* bytes */
    const rex_int64 *ArgTypes; /* REX_MAP_* */
    void **ArgNames;
    void **ArgMappers;
    rex_uint64 Tripcount;
    rex_uint64 Flags; /* REX_KERNEL_FLAG_* */
    rex_uint32 NumTeams[3];
    rex_uint32 ThreadLimit[3];
    rex_uint32 DynCGroupMem; /* bytes of dynamic shared memory */
};
REX_ABI_ASSERT(sizeof(struct __tgt_kernel_arguments) == 104);

/* From version 3 on the kernel's first parameter is the runtime's hidden launch environment. */
#define REX_KERNEL_ARGS_VERSION 3
#define REX_KERNEL_FLAG_NOWAIT 0x1
#define REX_KERNEL_FLAG_STRICT 0x40 /* LLVM 23 takes teams and threads verbatim, earlier releases always do */

#define REX_MAP_ALLOC 0x0
#define REX_MAP_TO 0x1
#define REX_MAP_FROM 0x2
#define REX_MAP_TOFROM 0x3
#define REX_MAP_ALWAYS 0x4
#define REX_MAP_DELETE 0x8
#define REX_MAP_PTR_AND_OBJ 0x10
#define REX_MAP_TARGET_PARAM 0x20
#define REX_MAP_RETURN_PARAM 0x40
#define REX_MAP_PRIVATE 0x80
#define REX_MAP_LITERAL 0x100
#define REX_MAP_IMPLICIT 0x200
#define REX_MAP_CLOSE 0x400
#define REX_MAP_PRESENT 0x1000
/* The row belongs to the structure mapped by row `parent`, counted from 1, of the same call. */
#define REX_MAP_MEMBER_OF(parent) ((rex_int64)((rex_uint64)(parent) << 48))

void __tgt_init_all_rtls(void);
void __tgt_register_lib(struct __tgt_bin_desc *desc);
void __tgt_unregister_lib(struct __tgt_bin_desc *desc);

/* 0: the kernel has run. Otherwise nothing was done and the host version has to run. device -1 is the default device;
 * loc is a source position for messages and may be null. */
int __tgt_target_kernel(void *loc, rex_int64 device, rex_int32 num_teams, rex_int32 thread_limit, void *host_id,
                        struct __tgt_kernel_arguments *args);

void __tgt_target_data_begin_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                    const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                    void **arg_mappers);
void __tgt_target_data_end_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                  const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                  void **arg_mappers);
void __tgt_target_data_update_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                     const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                     void **arg_mappers);

/* What a program calls a device: -1 is omp_initial_device, the host (OpenMP 5.2, section 1.2.1). */
extern int rex_initial_device(void) __asm__("omp_get_initial_device");

static __inline__ int rex_device_number(int device)
{
    return device == -1 ? rex_initial_device() : device;
}

/* Whether the host's compiler uses an instruction set, for context selectors with `isa`: it then defines a macro as 1. */
#define REX_TEXT_OF(macro) #macro
#define REX_IS_DEFINED(macro) (sizeof REX_TEXT_OF(macro) == sizeof "1")
#define __builtin_rex_isa(sm, macro) REX_IS_DEFINED(macro)

/* From the first element of a section to its last, in bytes: of `rows` bytes in whole rows of `row` bytes, with `part` of
 * the last one. */
static __inline__ rex_int64 rex_rows_size(rex_int64 rows, rex_int64 row, rex_int64 part)
{
    return rows > 0 && part > 0 ? rows - row + part : 0;
}

/* Makes the default device ready; defined by the program's registration unit. May be called any number of times. */
void rex_offload_init(void) __attribute__((visibility("hidden")));

/* The runtime also exports functions of the next three names; these shadow them with the current entry points. */
static __inline__ void __tgt_target_data_begin(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                               const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_begin_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

static __inline__ void __tgt_target_data_end(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                             const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_end_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

static __inline__ void __tgt_target_data_update(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                                const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_update_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

extern int rex_omp_num_threads(void) __asm__("omp_get_num_threads");

static __inline__ int rex_limited(int wanted, int most)
{
    return most > 0 && wanted > most ? most : wanted;
}

/* The limits of teams, of their number and of the threads in each, as device code has set them; 0: nothing was set. */
extern int rex_team_limits[2];
__attribute__((weak)) int rex_team_limits[2];

/* What a pointer that the threads of a kernel share holds before the first of them gives it its value: no address. */
extern void *rex_unset_pointer;
__attribute__((weak)) void *rex_unset_pointer = (void *)0x7265782d756e7365;

/* The internal control variables that bound a league, those of the host, too; 0 where nothing sets them. */
extern int rex_host_max_teams(void) __asm__("omp_get_max_teams");
extern int rex_host_teams_thread_limit(void) __asm__("omp_get_teams_thread_limit");

static __inline__ int rex_omp_max_teams(void)
{
    const int most = rex_host_max_teams();
    return most > 0 ? rex_limited(most, rex_team_limits[0]) : rex_team_limits[0];
}

static __inline__ int rex_omp_teams_thread_limit(void)
{
    const int most = rex_host_teams_thread_limit();
    return most > 0 ? rex_limited(most, rex_team_limits[1]) : rex_team_limits[1];
}

/* ---- the teams of host versions, one after the other --------------------------------------------------------------- */

extern int rex_level(void) __asm__("omp_get_level");
extern int rex_ancestor(int) __asm__("omp_get_ancestor_thread_num");
extern int rex_host_num_teams(void) __asm__("omp_get_num_teams");
extern int rex_host_team_num(void) __asm__("omp_get_team_num");

/* A league is that of the threads which the one that made it is an ancestor of: itself at `level` levels. */
struct rex_league {
    struct rex_league *next;
    int teams, team, last, level, once;
    rex_uint64 threads;
};

/* Before a statement: for the first team only. */
#define REX_FIRST_TEAM(league) for ((league).once = (league).team == 0; (league).once; (league).once = 0)

extern struct rex_league *rex_leagues; /* the newest first */
__attribute__((weak)) struct rex_league *rex_leagues;
extern int rex_leagues_lock;
__attribute__((weak)) int rex_leagues_lock;

/* The ancestors of the calling thread, in a team of a host construct if there is one, in a number: exact for three levels
 * of 2^16 threads. */
static __inline__ rex_uint64 rex_ancestors(int level)
{
    rex_uint64 threads = (rex_uint64)rex_host_team_num();
    int i;
    for (i = 1; i <= level; ++i)
        threads = threads * 65536 + (rex_uint64)rex_ancestor(i);
    return threads;
}

/* `once`: all that the others would do is the first one's. */
static __inline__ void rex_enter_league(struct rex_league *league, int teams, int once)
{
    league->teams = teams < 1 ? 1 : teams;
    league->team = 0;
    league->last = once ? 0 : league->teams - 1;
    league->level = rex_level();
    league->threads = rex_ancestors(league->level);
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    league->next = rex_leagues;
    rex_leagues = league;
    __sync_lock_release(&rex_leagues_lock);
}

/* 0: there is none, and the league is no more. */
static __inline__ int rex_next_team(struct rex_league *league)
{
    struct rex_league **place = &rex_leagues;
    if (league->team < league->last) {
        ++league->team;
        return 1;
    }
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    while (*place != league)
        place = &(*place)->next;
    *place = league->next;
    __sync_lock_release(&rex_leagues_lock);
    return 0;
}

/* What the calling thread's league answers; `otherwise` where it has none. */
static __inline__ int rex_of_league(int number, int otherwise)
{
    const int level = rex_level();
    const struct rex_league *league;
    int found = otherwise;
    while (__sync_lock_test_and_set(&rex_leagues_lock, 1))
        ;
    for (league = rex_leagues; league; league = league->next)
        if (league->level <= level && league->threads == rex_ancestors(league->level)) {
            found = number ? league->team : league->teams;
            break;
        }
    __sync_lock_release(&rex_leagues_lock);
    return found;
}

static __inline__ int rex_num_teams(void)
{
    return rex_of_league(0, rex_host_num_teams());
}

static __inline__ int rex_team_num(void)
{
    return rex_of_league(1, rex_host_team_num());
}

#define REX_MIN(a, b) ((a) < (b) ? (a) : (b))

/* Threads per block for a loop that no clause speaks of: `most`, halved down to `least` while there would be fewer than
 * `blocks` full blocks, and no more than the loop has iterations, in warps. */
static __inline__ int rex_threads(rex_int64 trip_count, int most, int least, int blocks)
{
    int threads = most;
    while (threads > least && trip_count < (rex_int64)blocks * threads)
        threads /= 2;
    if (trip_count < threads && threads > 32)
        threads = trip_count <= 0 ? 32 : (int)((trip_count + 31) / 32 * 32);
    return threads;
}

/* Blocks that cover a loop once, at least one and at most `most`. */
static __inline__ int rex_blocks(rex_int64 trip_count, int threads, int most)
{
    const rex_int64 blocks = (trip_count - 1) / threads + 1;
    return trip_count <= 0 ? 1 : blocks < most ? (int)blocks : most;
}

/* Whether two ranges of known size in bytes have nothing in common. */
static __inline__ int rex_apart(const volatile void *a, rex_int64 a_size, const volatile void *b, rex_int64 b_size)
{
    const rex_uint64 x = (rex_uint64)a, y = (rex_uint64)b;
    return a_size > 0 && b_size > 0 && (x < y ? y - x >= (rex_uint64)a_size : x - y >= (rex_uint64)b_size);
}

extern int rex_default_device(void) __asm__("omp_get_default_device");
extern void *rex_mapped_ptr(const void *, int) __asm__("omp_get_mapped_ptr");

/* What corresponds to an address on a device; null while nothing does. */
static __inline__ void *rex_on_device(rex_int64 device, const void *address)
{
    return rex_mapped_ptr(address, device < 0 ? rex_default_device() : (int)device);
}

/* How far from an address what corresponds to it is; that of null pointers while nothing does. */
static __inline__ rex_uint64 rex_shift(rex_int64 device, rex_uint64 address)
{
    return (rex_uint64)rex_on_device(device, (const void *)address) - address;
}

/* A mapped range, and whether one piece of device memory from before a launch holds the bytes below it (0) and above it
 * (1) as well; -1: not asked yet. */
struct rex_range {
    const volatile void *begin;
    rex_int64 size;
    int beyond[2];
};

/* Whether no such piece holds both a range and an address outside of it. Hardly ever does one go beyond the range, and
 * that is asked once for all addresses. */
static __inline__ int rex_separate(struct rex_range *range, const volatile void *other, rex_int64 device)
{
    const rex_uint64 begin = (rex_uint64)range->begin, address = (rex_uint64)other;
    const int above = address > begin;
    const rex_uint64 next = above ? begin + (rex_uint64)range->size : begin - 1;
    if (range->beyond[above] < 0) {
        const rex_uint64 shift = rex_shift(device, next);
        range->beyond[above] = shift != 0 - next && shift == rex_shift(device, begin);
    }
    return !range->beyond[above] || rex_shift(device, begin) != rex_shift(device, address);
}

/* Whether a grid has a thread for each of `trip` iterations, and an int for each thread's number. */
static __inline__ int rex_covers(int blocks, int threads, rex_int64 trip)
{
    const rex_int64 grid = (rex_int64)blocks * threads;
    return trip <= grid && grid <= 0x7fffffff;
}

/* Whether the runtime launches grids and blocks of two dimensions, as LLVM 22 does: rex_offload_init() tries it. */
extern int rex_two_dimensional;
__attribute__((weak)) int rex_two_dimensional;

#define REX_GRID_Y_MOST 65535 /* CUDA's limit */
#define REX_IN_TILES ((rex_uint64)1 << 63)

/* The second dimension of a launch, 0 where it has none. */
struct rex_second_dimension {
    rex_uint32 blocks, threads;
};

/* Lays a grid over a space of rows x columns, `*threads` per block. Where the runtime can launch it, in two dimensions:
 * blocks are tiles 64 columns wide, or 32 where that leaves fewer threads with nothing to do. Elsewhere, and where tiles
 * would leave more than an eighth of the rows or columns so, row by row. False where the space is empty, or the grid has
 * 2^31 threads or more than `most` blocks (0: any number). The code is REX_IN_TILES, or the factor (low 32 bits) and the
 * shift that divide by the columns (Granlund and Montgomery 1994, for dividends below 2^31). */
static __inline__ int rex_tile(rex_int64 rows, rex_int64 columns, int most, int *blocks, int *threads,
                               struct rex_second_dimension *second, rex_uint64 *code)
{
    const rex_int64 limit = 0x7fffffff - *threads;
    const int idle = (int)(columns % 64 ? 64 - columns % 64 : 0), width = idle >= 32 && idle > columns / 32 ? 32 : 64;
    const rex_int64 height = *threads / width, across = (columns + width - 1) / width;
    unsigned int shift = 0;
    if (rows <= 0 || columns <= 0 || rows > limit || columns > limit || *threads == 1) /* one thread: in order */
        return 0;
    if (rex_two_dimensional && *threads % width == 0 && across * width - columns <= columns / 8) {
        const rex_int64 down = (rows + height - 1) / height;
        if (down * height - rows <= rows / 8 && down <= REX_GRID_Y_MOST && (most <= 0 || across * down <= most)) {
            *blocks = (int)across;
            *threads = width;
            second->blocks = (rex_uint32)down;
            second->threads = (rex_uint32)height;
            *code = REX_IN_TILES;
            return 1;
        }
    }
    if (rows > limit / columns || (most > 0 && (rows * columns + *threads - 1) / *threads > most))
        return 0;
    while (((rex_int64)1 << shift) < columns)
        ++shift;
    *blocks = (int)((rows * columns + *threads - 1) / *threads);
    *code = (((((rex_uint64)1 << shift) - (rex_uint64)columns) << 32) / (rex_uint64)columns + 1) | (rex_uint64)shift << 32;
    return 1;
}

/* For a variable of which a region has a copy that it sets before it uses it: compilers are not to find that there is no
 * value yet. */
static __inline__ int rex_may_be_set(volatile void *variable)
{
    __asm__ __volatile__("" : : "r"(variable) : "memory");
    return 0;
}

/* The value of a scalar of at most 8 bytes as a REX_MAP_LITERAL argument: low bytes first, the rest zero. */
static __inline__ void *rex_pack_literal_arg_bytes(const volatile void *src, rex_size size)
{
    void *carrier = 0;
    __builtin_memcpy(&carrier, (const void *)(rex_uint64)src, size);
    return carrier;
}

/* The handle for device code of an allocator with `count` traits: what the device library's omp_init_allocator() makes.
 * The host compiler's omp.h, which has their type, need not be there. */
static __inline__ rex_uint64 rex_device_allocator(rex_size count, const void *traits)
{
    const struct rex_trait {
        int key; /* 2 alignment, 4 pool_size, 5 fallback */
        rex_uint64 value;
    } *trait = (const struct rex_trait *)traits;
    const rex_uint64 all = ((rex_uint64)1 << 48) - 1, standard = ~(rex_uint64)0;
    rex_uint64 alignment = 0, fallback = 0, pool = all;
    for (; count > 0; --count, ++trait) {
        if (trait->value == standard)
            continue;
        if (trait->key == 2)
            while ((rex_uint64)1 << alignment < trait->value && alignment < 47)
                ++alignment;
        if (trait->key == 4)
            pool = trait->value < all ? trait->value : all;
        if (trait->key == 5)
            fallback = trait->value == 12 /* null_fb */ ? 1 : trait->value == 13 /* abort_fb */ ? 2 : 0;
    }
    return (rex_uint64)1 << 63 | fallback << 56 | alignment << 48 | pool;
}

/* ---- functions of the OpenMP API whose plain names are those of libomp's Fortran versions ---------------------------- */

void rex_set_affinity_format(const char *) __asm__("ompc_set_affinity_format");
rex_size rex_get_affinity_format(char *, rex_size) __asm__("ompc_get_affinity_format");
void rex_display_affinity(const char *) __asm__("ompc_display_affinity");
rex_size rex_capture_affinity(char *, rex_size, const char *) __asm__("ompc_capture_affinity");

/* ---- tasks: thread limits, and detach clauses, which LLVM's runtime does not do for gcc ------------------------------ */

struct rex_dependence {
    const volatile void *address;
    rex_size size;
    unsigned char kind; /* 1 in, 3 out and inout, 4 mutexinoutset, 8 inoutset */
};

struct rex_location {
    rex_int32 reserved, flags, more[2];
    const char *source;
};

rex_int32 rex_kmp_thread(struct rex_location *) __asm__("__kmpc_global_thread_num");
void *rex_kmp_task_alloc(struct rex_location *, rex_int32, rex_int32, rex_size, rex_size,
                         rex_int32 (*)(rex_int32, void *)) __asm__("__kmpc_omp_task_alloc");
void *rex_kmp_event(struct rex_location *, rex_int32, void *) __asm__("__kmpc_task_allow_completion_event");
rex_int32 rex_kmp_task(struct rex_location *, rex_int32, void *, rex_int32, const struct rex_dependence *, rex_int32,
                       const void *) __asm__("__kmpc_omp_task_with_deps");

void rex_kmp_thread_limit(struct rex_location *, rex_int32, rex_int32) __asm__("__kmpc_set_thread_limit");

/* No more threads in a team, in what is left of a task. */
static __inline__ void rex_limit_threads(int most)
{
    rex_kmp_thread_limit(0, rex_kmp_thread(0), most);
}

static __inline__ rex_int32 rex_empty_task(rex_int32 thread, void *task)
{
    (void)thread;
    (void)task;
    return 0;
}

/* An empty task that is not complete before `event`, an omp_event_handle_t that this creates, is fulfilled. */
static __inline__ void *rex_completion_task(struct rex_location *location, void *event)
{
    const rex_int32 thread = rex_kmp_thread(location), tied = 0x1, detachable = 0x40;
    void *task = rex_kmp_task_alloc(location, thread, tied | detachable, 40 /* bytes of a kmp_task_t */, 0, rex_empty_task);
    void *handle = rex_kmp_event(location, thread, task);
    __builtin_memcpy(event, &handle, sizeof(handle));
    return task;
}

static __inline__ void rex_start_task(struct rex_location *location, void *task, rex_int32 count,
                                      const struct rex_dependence *dependences)
{
    (void)rex_kmp_task(location, rex_kmp_thread(location), task, count, dependences, 0, 0);
}

/* ---- memory that devices share with the host, which libomptarget does not ask them for ------------------------------- */

extern int rex_num_devices(void) __asm__("omp_get_num_devices");

static __inline__ int rex_shared_is_accessible(const void *memory, rex_size size, int device)
{
    (void)size;
    return memory && device >= -1 && device <= rex_num_devices();
}

/* ---- interoperability objects ----------------------------------------------------------------------------------------- */

void rex_tgt_interop_init(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, rex_int32,
                          const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_init");
void rex_tgt_interop_use(struct rex_location *, rex_int32, void **, rex_int32, rex_int32, const struct rex_dependence *,
                         rex_int32) __asm__("__tgt_interop_use");
void rex_tgt_interop_destroy(struct rex_location *, rex_int32, void **, rex_int32, rex_int32,
                             const struct rex_dependence *, rex_int32) __asm__("__tgt_interop_destroy");
extern char rex_tgt_interop_get __asm__("__tgt_interop_get") __attribute__((weak));

/* Makes an object (an omp_interop_t) of type 1, target, or 2, targetsync. Before LLVM 22, libomptarget does not wait for
 * the foreign runtime's work: there, it has no objects. */
static __inline__ void rex_interop_init(void *object, int type, int device)
{
    void *made = 0;
    if (&rex_tgt_interop_get)
        rex_tgt_interop_init(0, rex_kmp_thread(0), &made, type, device, 0, 0, 0);
    __builtin_memcpy(object, &made, sizeof(made));
}

/* Waits for the work in the object's CUDA stream; 0 where it has none. Programs with images for GPUs define it: LLVM 22 has
 * no barrier for such objects and ends the program where it needs one. */
extern int rex_interop_wait(void *object) __attribute__((weak, visibility("hidden")));

static __inline__ void rex_interop_use(void *object)
{
    void *made;
    __builtin_memcpy(&made, object, sizeof(made));
    if (made && !(rex_interop_wait && rex_interop_wait(made)))
        rex_tgt_interop_use(0, rex_kmp_thread(0), &made, -1, 0, 0, 0);
}

/* An object with a CUDA stream stays, since the runtime's function would need that barrier. */
static __inline__ void rex_interop_destroy(void *object)
{
    void *made;
    __builtin_memcpy(&made, object, sizeof(made));
    if (made && !(rex_interop_wait && rex_interop_wait(made)))
        rex_tgt_interop_destroy(0, rex_kmp_thread(0), &made, -1, 0, 0, 0);
    made = 0;
    __builtin_memcpy(object, &made, sizeof(made));
}

/* ---- functions of the OpenMP API that take depend objects ---------------------------------------------------------- */

int rex_memcpy(void *, const void *, rex_size, rex_size, rex_size, int, int) __asm__("omp_target_memcpy");
int rex_memcpy_rect(void *, const void *, rex_size, int, const rex_size *, const rex_size *, const rex_size *,
                    const rex_size *, const rex_size *, int, int) __asm__("omp_target_memcpy_rect");
void *rex_memset(void *, int, rex_size, int) __asm__("omp_target_memset");

/* Waits for the tasks that depend objects stand for; `inout` covers all kinds. */
static __inline__ void rex_wait_for(int count, void *objects)
{
#ifdef _OPENMP
#ifdef __clang__ /* an object points to its dependences; before the first one is their number */
    struct rex_dependence {
        rex_int64 address;
        rex_size size;
        rex_int64 kind;
    } **dependences = (struct rex_dependence **)objects;
    rex_int64 i;
    for (; count > 0; --count, ++dependences)
        for (i = 0; i < (*dependences)[-1].address; ++i) {
#pragma omp taskwait depend(inout : *(char *)(*dependences)[i].address)
        }
#else /* an address, and a kind */
    char **address = (char **)objects;
    for (; count > 0; --count, address += 2) {
#pragma omp taskwait depend(inout : **address)
    }
#endif
#else
    (void)count;
    (void)objects;
#endif
}

static __inline__ int rex_target_memcpy_now(void *to, const void *from, rex_size size, rex_size to_offset,
                                            rex_size from_offset, int to_device, int from_device, int count,
                                            void *objects)
{
    rex_wait_for(count, objects);
    return rex_memcpy(to, from, size, to_offset, from_offset, rex_device_number(to_device),
                      rex_device_number(from_device));
}

static __inline__ int rex_target_memcpy_rect_now(void *to, const void *from, rex_size element, int dimensions,
                                                 const rex_size *volume, const rex_size *to_offsets,
                                                 const rex_size *from_offsets, const rex_size *to_dimensions,
                                                 const rex_size *from_dimensions, int to_device, int from_device,
                                                 int count, void *objects)
{
    rex_wait_for(count, objects);
    return rex_memcpy_rect(to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions,
                           from_dimensions, rex_device_number(to_device), rex_device_number(from_device));
}

static __inline__ void *rex_target_memset_now(void *memory, int value, rex_size size, int device, int count,
                                              void *objects)
{
    rex_wait_for(count, objects);
    return rex_memset(memory, value, size, rex_device_number(device));
}

/* ---- arrays whose number of rows only the run knows: iterators, mappers of several elements, sections with gaps ---- */

struct rex_rows {
    rex_int64 count, room;
    void **base, **ptr;
    rex_int64 *size, *type;
};

/* The smallest storage that holds everything covered so far. */
struct rex_extent {
    char *low, *high;
};

static __inline__ void rex_cover(struct rex_extent *extent, void *start, rex_int64 size)
{
    char *low = (char *)start;
    if (!extent->high || low < extent->low)
        extent->low = low;
    if (!extent->high || low + size > extent->high)
        extent->high = low + size;
}

static __inline__ void *rex_grow(void *old, rex_size bytes)
{
    void *grown = __builtin_realloc(old, bytes);
    if (!grown) {
        __builtin_printf("rex-build: no memory for the rows of a target construct\n");
        __builtin_abort();
    }
    return grown;
}

/* Zeroed memory of `size` bytes. */
static __inline__ void *rex_zeroed(rex_int64 size)
{
    void *const memory = __builtin_calloc((rex_size)size, 1);
    if (!memory)
        __builtin_abort();
    return memory;
}

/* Adds a row and returns its number, from 1: what REX_MAP_MEMBER_OF takes. */
static __inline__ rex_int64 rex_row(struct rex_rows *rows, void *base, void *ptr, rex_int64 size, rex_int64 type)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->base = (void **)rex_grow(rows->base, (rex_size)rows->room * sizeof(void *));
        rows->ptr = (void **)rex_grow(rows->ptr, (rex_size)rows->room * sizeof(void *));
        rows->size = (rex_int64 *)rex_grow(rows->size, (rex_size)rows->room * sizeof(rex_int64));
        rows->type = (rex_int64 *)rex_grow(rows->type, (rex_size)rows->room * sizeof(rex_int64));
    }
    rows->base[rows->count] = base;
    rows->ptr[rows->count] = ptr;
    rows->size[rows->count] = size;
    rows->type[rows->count] = type;
    return ++rows->count;
}

/* REX_MAP_MEMBER_OF for a row number that only the run knows; 16 bits is all the interface has for it. */
static __inline__ rex_int64 rex_member_of(rex_int64 parent)
{
    if (parent > 0xffff) {
        __builtin_printf("rex-build: more than 65535 mapped objects with members in one target construct\n");
        __builtin_abort();
    }
    return REX_MAP_MEMBER_OF(parent);
}

/* ---- rows that depend on what a device holds already; numbered from 1 ----------------------------------------------- */

/* A row that is a member, if only of itself, leaves the reference count of its storage as it is, or that of the pointer
 * which it attaches. */

/* Where a section's base pointer is on the device and the section is not, the section's row attaches it. */
static __inline__ void rex_attach(rex_int64 device, void *pointer, rex_int64 row, void **base, void **ptr,
                                  const rex_int64 *size, rex_int64 *type)
{
    if (size[row - 1] > 0 && rex_on_device(device, pointer) && !rex_on_device(device, ptr[row - 1])) {
        base[row - 1] = pointer;
        type[row - 1] |= REX_MAP_PTR_AND_OBJ | rex_member_of(row);
    }
}

/* The transfer of `always` to storage that is on the device, as `target update` does it: pointers in it that are attached
 * stay so. A construct's own would overwrite them (LLVM 19), or is left out if there are any (LLVM 22). */
static __inline__ void rex_refresh(rex_int64 device, rex_int64 row, void **ptr, const rex_int64 *size, rex_int64 *type)
{
    const rex_int64 to = REX_MAP_TO;
    if (size[row - 1] > 0 && rex_on_device(device, ptr[row - 1])) {
        type[row - 1] &= ~to;
        __tgt_target_data_update(device, 1, &ptr[row - 1], &ptr[row - 1], &size[row - 1], &to);
    }
}

/* Storage that is on a device because constructs have mapped sections through pointers in it, and how often. */
struct rex_carrier {
    char *begin, *end;
    int device, seen; /* whether it has been found on the device: if so, and it is not any more, it was taken from there */
    rex_int64 count;
};

/* In a tree of the C library's, as there may be many. */
typedef int rex_order(const void *, const void *);
void *rex_tree_insert(const void *, void **, rex_order *) __asm__("tsearch");
void *rex_tree_find(const void *, void *const *, rex_order *) __asm__("tfind");
void *rex_tree_remove(const void *, void **, rex_order *) __asm__("tdelete");

extern void *rex_carrier_tree;
__attribute__((weak)) void *rex_carrier_tree;
extern int rex_carriers_lock;
__attribute__((weak)) int rex_carriers_lock;

extern int rex_yield(void) __asm__("sched_yield");

static __inline__ void rex_lock_carriers(void)
{
    while (__sync_lock_test_and_set(&rex_carriers_lock, 1))
        rex_yield(); /* to whoever holds it, where there are more threads than processors */
}

/* Those that overlap are equal, of which the tree has one. */
static __inline__ int rex_compare_carriers(const void *one, const void *other)
{
    const struct rex_carrier *const a = (const struct rex_carrier *)one, *const b = (const struct rex_carrier *)other;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->end <= b->begin ? -1 : a->begin >= b->end;
}

/* Any of those that overlap some storage. */
static __inline__ struct rex_carrier *rex_find_carrier(int device, char *begin, char *end)
{
    struct rex_carrier key;
    void *node;
    key.begin = begin;
    key.end = end;
    key.device = device;
    node = begin < end ? rex_tree_find(&key, &rex_carrier_tree, rex_compare_carriers) : 0;
    return node ? *(struct rex_carrier **)node : 0;
}

/* The first of them. */
static __inline__ struct rex_carrier *rex_first_carrier(int device, char *begin, char *end)
{
    struct rex_carrier *first = 0, *before = rex_find_carrier(device, begin, end);
    for (; before; before = rex_find_carrier(device, begin, first->begin))
        first = before;
    return first;
}

static __inline__ void rex_drop_carrier(struct rex_carrier *one)
{
    rex_tree_remove(one, &rex_carrier_tree, rex_compare_carriers);
    __builtin_free(one);
}

/* The end of a construct for several that its row reaches over, as earlier ones have entered them apart. */
static __inline__ void rex_leave_carriers(rex_int64 device, struct rex_carrier *one, char *end, rex_int64 type)
{
    const rex_int64 how = type & REX_MAP_DELETE;
    while (one) {
        void *storage = one->begin;
        const rex_int64 bytes = one->end - one->begin;
        char *const next = one->end;
        const int number = one->device;
        if (rex_on_device(device, storage))
            __tgt_target_data_end(device, 1, &storage, &storage, &bytes, &how);
        if (--one->count == 0 || how)
            rex_drop_carrier(one);
        one = rex_first_carrier(number, next, end);
    }
}

/* A row for such storage, where a construct begins (`change` is 1) or ends (-1). Where the storage is there for another
 * reason, as part of a structure that the program has mapped, the row is not counted. */
static __inline__ void rex_carry(rex_int64 device, int change, rex_int64 row, void **ptr, const rex_int64 *size,
                                 rex_int64 *type)
{
    char *const begin = (char *)ptr[row - 1], *const end = begin + size[row - 1];
    const int number = device < 0 ? rex_default_device() : (int)device;
    struct rex_carrier *found;
    int present;
    if (type[row - 1] & REX_MAP_MEMBER_OF(0xffff)) /* not counted at the construct's beginning */
        return;
    rex_lock_carriers();
    found = change < 0 ? rex_first_carrier(number, begin, end) : 0;
    if (found && (found->begin > begin || found->end < end)) {
        rex_leave_carriers(device, found, end, type[row - 1]);
        type[row - 1] |= rex_member_of(row);
        __sync_lock_release(&rex_carriers_lock);
        return;
    }
    present = rex_on_device(device, begin) != 0;
    found = rex_find_carrier(number, begin, begin + 1);
    if (found && !present && found->seen) {
        rex_drop_carrier(found);
        found = 0;
    }
    if (!found && !present && change > 0 && begin < end) {
        while ((found = rex_find_carrier(number, begin, end)))
            rex_drop_carrier(found);
        found = (struct rex_carrier *)rex_grow(0, sizeof(*found));
        found->begin = begin;
        found->end = end;
        found->device = number;
        found->seen = 0;
        found->count = 0;
        if (!rex_tree_insert(found, &rex_carrier_tree, rex_compare_carriers))
            __builtin_abort();
    }
    if (found) {
        found->seen |= present;
        found->count += change;
        if (found->count == 0)
            rex_drop_carrier(found);
    } else if (present)
        type[row - 1] |= rex_member_of(row);
    __sync_lock_release(&rex_carriers_lock);
}

/* Takes pointers from the device that are there for sections, where a row maps more than them: the runtime extends no
 * storage. Those whose sections the construct maps, too, are attached in the new storage. */
static __inline__ void rex_extend(rex_int64 device, rex_int64 row, void **ptr, const rex_int64 *size)
{
    char *const begin = (char *)ptr[row - 1], *const end = begin + size[row - 1];
    const int number = device < 0 ? rex_default_device() : (int)device;
    struct rex_carrier *one;
    char *next = begin;
    if (!rex_carrier_tree || begin == end || rex_shift(device, (rex_uint64)begin) == rex_shift(device, (rex_uint64)end - 1))
        return;
    rex_lock_carriers();
    while ((one = rex_first_carrier(number, next, end))) {
        void *storage = one->begin;
        const rex_int64 bytes = one->end - one->begin, type = REX_MAP_DELETE;
        next = one->end;
        if (one->begin < begin || next > end)
            continue;
        if (rex_on_device(device, storage))
            __tgt_target_data_end(device, 1, &storage, &storage, &bytes, &type);
        rex_drop_carrier(one);
    }
    __sync_lock_release(&rex_carriers_lock);
}

/* Makes a row map a copy of an object, where nothing of it is on the device but pointers that are there for sections. In
 * the copy these have device addresses; what follows it marks their bytes. Null: the row is as it was. */
static __inline__ char *rex_stand_in(rex_int64 device, rex_int64 row, void **base, void **ptr, const rex_int64 *size)
{
    char *const object = (char *)ptr[row - 1], *const end = object + size[row - 1];
    char *copy = 0, *cell;
    const int number = device < 0 ? rex_default_device() : (int)device;
    const struct rex_carrier *one;
    if (!rex_carrier_tree || rex_shift(device, (rex_uint64)object) == rex_shift(device, (rex_uint64)end - 1))
        return 0;
    rex_lock_carriers();
    for (one = rex_first_carrier(number, object, end); one; one = rex_first_carrier(number, one->end, end))
        if (one->begin >= object && one->end <= end && rex_on_device(device, one->begin)) {
            if (!copy) {
                copy = (char *)rex_zeroed(2 * (end - object));
                __builtin_memcpy(copy, object, (rex_size)(end - object));
            }
            for (cell = one->begin; cell + sizeof(void *) <= one->end; cell += sizeof(void *)) {
                void *value;
                __builtin_memcpy(&value, cell, sizeof(value));
                if (value && rex_on_device(device, value)) {
                    value = rex_on_device(device, value);
                    __builtin_memcpy(copy + (cell - object), &value, sizeof(value));
                    __builtin_memset(copy + (end - object) + (cell - object), 1, sizeof(value));
                }
            }
        }
    __sync_lock_release(&rex_carriers_lock);
    if (copy)
        base[row - 1] = ptr[row - 1] = copy;
    return copy;
}

/* What a region has changed in such a copy goes to the object. */
static __inline__ void rex_stand_out(char *copy, void *object, rex_int64 size)
{
    rex_int64 i;
    for (i = 0; copy && i < size; ++i)
        if (!copy[size + i] && ((char *)object)[i] != copy[i]) /* what is constant may be nowhere to write to */
            ((char *)object)[i] = copy[i];
    __builtin_free(copy);
}

/* The same rows for the end of a construct: what the beginning wrote into the bases is undone, nothing has to be
 * present any more. */
static __inline__ struct rex_rows rex_end_rows(const struct rex_rows *rows)
{
    struct rex_rows copy = {0, 0, 0, 0, 0, 0};
    rex_int64 i;
    for (i = 0; i < rows->count; ++i)
        rex_row(&copy, rows->base[i], rows->ptr[i], rows->size[i], rows->type[i] & ~(rex_int64)REX_MAP_PRESENT);
    return copy;
}

static __inline__ void rex_free_rows(struct rex_rows *rows)
{
    __builtin_free(rows->base);
    __builtin_free(rows->ptr);
    __builtin_free(rows->size);
    __builtin_free(rows->type);
}

#ifdef __cplusplus
}
#endif

#endif
