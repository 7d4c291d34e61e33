/* Finds device code that touches host memory, which the cpu device would let pass: there an address that no clause maps
 * is as good as any other, on a GPU it is an error or a wrong result.
 *
 * Preloaded into a test program whose cpu images were compiled with -fsanitize=kernel-address, so that every load and store
 * of device code calls one of the __asan_ functions below. Host memory is what the program itself allocates (told by
 * the return address of malloc and its kin), its static data, and the stacks below its launches.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

struct range {
    uintptr_t low, high;
};

enum { MAX_SEGMENTS = 16, MAX_LAUNCHES = 256 };
static struct range segments[MAX_SEGMENTS]; /* of the program itself */
static int segment_count;
static uintptr_t exempt[3]; /* stdin, stdout, stderr: the C library's variables, but the program may hold them */

/* ---- what the program allocates: an arena of its own, never reused -------------------------------------------- */

static const size_t arena_size = (size_t)64 << 30;
static uintptr_t arena, arena_next;

struct header {
    size_t size, unused;
};

static int is_program(const void *address)
{
    for (int i = 0; i < segment_count; ++i)
        if ((uintptr_t)address >= segments[i].low && (uintptr_t)address < segments[i].high)
            return 1;
    return 0;
}

static int in_arena(const void *address)
{
    return arena && (uintptr_t)address >= arena && (uintptr_t)address < arena + arena_size;
}

static void *arena_alloc(size_t size, size_t alignment)
{
    size_t room = size + sizeof(struct header) + alignment + 15;
    uintptr_t at = __atomic_fetch_add(&arena_next, room & ~(size_t)15, __ATOMIC_RELAXED);
    uintptr_t user = (at + sizeof(struct header) + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (room < size || user + size > arena + arena_size) {
        errno = ENOMEM;
        return NULL;
    }
    ((struct header *)user)[-1].size = size;
    return (void *)user;
}

#define FROM_PROGRAM (arena && is_program(__builtin_return_address(0)))

void *malloc(size_t size)
{
    return FROM_PROGRAM ? arena_alloc(size, 16) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (!FROM_PROGRAM || __builtin_mul_overflow(count, size, &bytes))
        return __libc_calloc(count, size);
    return arena_alloc(bytes, 16); /* fresh pages are zero, and none is used twice */
}

void *realloc(void *old, size_t size)
{
    if (old ? !in_arena(old) : !FROM_PROGRAM)
        return __libc_realloc(old, size);
    void *grown = arena_alloc(size, 16);
    if (old && grown) {
        size_t before = ((struct header *)old)[-1].size;
        memcpy(grown, old, before < size ? before : size);
    }
    return grown;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FROM_PROGRAM ? arena_alloc(size, alignment < 16 ? 16 : alignment) : __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    *result = FROM_PROGRAM ? arena_alloc(size, alignment < 16 ? 16 : alignment) : __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

void free(void *memory)
{
    if (!in_arena(memory))
        __libc_free(memory);
}

/* ---- launches: while one runs, the frames of its callers are host memory ------------------------------------------ */

static struct range launches[MAX_LAUNCHES];
static int launch_slots;

int __tgt_target_kernel(void *loc, int64_t device, int32_t teams, int32_t threads, void *host, void *arguments)
{
    static int (*next)(void *, int64_t, int32_t, int32_t, void *, void *);
    if (!next)
        next = (int (*)(void *, int64_t, int32_t, int32_t, void *, void *))dlsym(RTLD_NEXT, "__tgt_target_kernel");
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t size = 0;
    if (!pthread_getattr_np(pthread_self(), &attributes)) {
        pthread_attr_getstack(&attributes, &stack, &size);
        pthread_attr_destroy(&attributes);
    }
    int slot = 0;
    uintptr_t free_slot = 0;
    while (slot < MAX_LAUNCHES - 1
           && !__atomic_compare_exchange_n(&launches[slot].low, &free_slot, (uintptr_t)__builtin_frame_address(0), 0,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        free_slot = 0;
        ++slot;
    }
    launches[slot].high = (uintptr_t)stack + size;
    int seen = launch_slots;
    while (seen <= slot
           && !__atomic_compare_exchange_n(&launch_slots, &seen, slot + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    int result = next(loc, device, teams, threads, host, arguments);
    launches[slot].high = 0;
    __atomic_store_n(&launches[slot].low, 0, __ATOMIC_SEQ_CST);
    return result;
}

/* ---- every load and store of device code ------------------------------------------------------------------------- */

static void complain(const void *address, const char *what, const char *kind, const void *where)
{
    Dl_info info;
    const char *name = dladdr(where, &info) && info.dli_sname ? info.dli_sname : "device code";
    fprintf(stderr, "guard: %s %s %s at %p: is a map clause missing?\n", name, what, kind, address);
    abort();
}

static void check(const void *address, const char *what, const void *where)
{
    if (in_arena(address))
        complain(address, what, "the host's heap", where);
    if (is_program(address) && (uintptr_t)address != exempt[0] && (uintptr_t)address != exempt[1]
        && (uintptr_t)address != exempt[2])
        complain(address, what, "the host's static data", where);
    for (int i = 0; i < launch_slots; ++i)
        if (launches[i].low && (uintptr_t)address > launches[i].low && (uintptr_t)address < launches[i].high)
            complain(address, what, "a host function's variable", where);
}

#define ACCESS(suffix, parameters)                                                                                     \
    void __asan_load##suffix##_noabort parameters { check(address, "reads", __builtin_return_address(0)); }            \
    void __asan_store##suffix##_noabort parameters { check(address, "writes", __builtin_return_address(0)); }

ACCESS(1, (const void *address))
ACCESS(2, (const void *address))
ACCESS(4, (const void *address))
ACCESS(8, (const void *address))
ACCESS(16, (const void *address))
ACCESS(N, (const void *address, size_t size __attribute__((unused))))
void __asan_handle_no_return(void) {}

/* The headers of C++ streams have an object that is made when an image is opened. */
void __asan_before_dynamic_init(const char *module) { (void)module; }
void __asan_after_dynamic_init(void) {}

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum && segment_count < MAX_SEGMENTS; ++i) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD) {
            uintptr_t low = info->dlpi_addr + header->p_vaddr;
            segments[segment_count++] = (struct range){low, low + header->p_memsz};
        }
    }
    return 1; /* the first one is the program */
}

__attribute__((constructor)) static void prepare(void)
{
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    dl_iterate_phdr(look, NULL);
    for (int i = 0; i < 3; ++i)
        exempt[i] = (uintptr_t)dlsym(RTLD_DEFAULT, names[i]);
    void *space = mmap(NULL, arena_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space != MAP_FAILED) {
        arena_next = (uintptr_t)space;
        arena = (uintptr_t)space;
    }
}
