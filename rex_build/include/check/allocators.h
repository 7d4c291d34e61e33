/* The functions that give memory and take it back, in place of the C library's and of C++'s. Included by runtime.c. */

/* Device memory is not given to others at once, so that accesses after its end are noticed. */
static void keep_for_a_while(char *base, size_t size)
{
    enum { KEPT = 256, MOST = 64 << 20 };
    static struct {
        char *base;
        size_t size;
    } kept[KEPT];
    static size_t first, count, bytes;
    char *leaving[KEPT];
    size_t i, number = 0;
    pthread_mutex_lock(&memory_lock);
    while (count && (count == KEPT || bytes + size > MOST)) {
        bytes -= kept[first].size;
        leaving[number++] = kept[first].base;
        first = (first + 1) % KEPT;
        --count;
    }
    kept[(first + count++) % KEPT].base = base;
    kept[(first + count - 1) % KEPT].size = size;
    bytes += size;
    pthread_mutex_unlock(&memory_lock);
    for (i = 0; i < number; ++i)
        __libc_free(leaving[i]);
}

EXPORT void *malloc(size_t size)
{
    const enum owner owner = owner_for(CALLER);
    return owner ? owned_alloc(size, 16, owner, CALLER, 0) : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    const enum owner owner = owner_for(CALLER);
    size_t bytes;
    if (!owner || __builtin_mul_overflow(count, size, &bytes))
        return __libc_calloc(count, size);
    return owned_alloc(bytes, 16, owner, CALLER, 1);
}

/* Gives memory back that owned_alloc has given. Returns whether it is such memory. */
static int owned_free(void *memory, const char *caller)
{
    struct header *header = memory && intervals ? header_of(memory) : NULL;
    if (!header)
        return 0;
    if (header->owner == BY_PROGRAM && host_memory_ends(memory, header->size, caller))
        return 1; /* libomptarget still has it, so nothing else may come to this place */
    if (header->owner == BY_DEVICE)
        device_memory_ends(memory);
    pthread_mutex_lock(&memory_lock);
    take_out(&memory_tree, &header->node);
    pthread_mutex_unlock(&memory_lock);
    header->magic = 0;
    if (header->owner == BY_RUNTIME)
        keep_for_a_while(header->base, header->size);
    else
        __libc_free(header->base);
    return 1;
}

EXPORT void free(void *memory)
{
    if (!owned_free(memory, CALLER))
        __libc_free(memory);
}

EXPORT void *realloc(void *old, size_t size)
{
    struct header *header = old && intervals ? header_of(old) : NULL;
    const enum owner owner = header ? header->owner : old ? 0 : owner_for(CALLER);
    void *grown;
    if (!owner)
        return __libc_realloc(old, size);
    grown = owned_alloc(size, 16, owner, CALLER, 0);
    if (old && grown) {
        real_memcpy(grown, old, header->size < size ? header->size : size);
        owned_free(old, CALLER);
    }
    return grown;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    const enum owner owner = owner_for(CALLER);
    return owner ? owned_alloc(size, alignment < 16 ? 16 : alignment, owner, CALLER, 0) : __libc_memalign(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    const enum owner owner = owner_for(CALLER);
    return owner ? owned_alloc(size, alignment < 16 ? 16 : alignment, owner, CALLER, 0) : __libc_memalign(alignment, size);
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size)
{
    const enum owner owner = owner_for(CALLER);
    *result = owner ? owned_alloc(size, alignment < 16 ? 16 : alignment, owner, CALLER, 0) : __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

/* C++ programs: operator new in its forms, and operator delete. libstdc++'s own throw if there is no memory. */
#define NEW(name, parameters, arguments, alignment)                                                                           \
    EXPORT void *name parameters                                                                                              \
    {                                                                                                                         \
        const enum owner owner = owner_for(CALLER);                                                                           \
        void *const memory = owner ? owned_alloc(size, (alignment) < 16 ? 16 : (alignment), owner, CALLER, 0) : NULL;         \
        static void *(*real) parameters;                                                                                      \
        if (memory)                                                                                                           \
            return memory;                                                                                                    \
        if (!real)                                                                                                            \
            *(void **)&real = original(#name);                                                                                \
        return real arguments;                                                                                                \
    }
NEW(_Znwm, (size_t size), (size), 16)
NEW(_Znam, (size_t size), (size), 16)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 16)
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow), 16)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), alignment)

#define DELETE(name, parameters, arguments)                                                                                   \
    EXPORT void name parameters                                                                                               \
    {                                                                                                                         \
        static void (*real) parameters;                                                                                       \
        if (owned_free(memory, CALLER))                                                                                       \
            return;                                                                                                           \
        if (!real)                                                                                                            \
            *(void **)&real = original(#name);                                                                                \
        real arguments;                                                                                                       \
    }
DELETE(_ZdlPv, (void *memory), (memory))
DELETE(_ZdaPv, (void *memory), (memory))
DELETE(_ZdlPvm, (void *memory, size_t size), (memory, size))
DELETE(_ZdaPvm, (void *memory, size_t size), (memory, size))
DELETE(_ZdlPvSt11align_val_t, (void *memory, size_t alignment), (memory, alignment))
DELETE(_ZdaPvSt11align_val_t, (void *memory, size_t alignment), (memory, alignment))
DELETE(_ZdlPvmSt11align_val_t, (void *memory, size_t size, size_t alignment), (memory, size, alignment))
DELETE(_ZdaPvmSt11align_val_t, (void *memory, size_t size, size_t alignment), (memory, size, alignment))
