/* What instrumented code calls: gcc's call-backs of -fsanitize=thread, and functions of the C library that read and write.
 * Included by runtime.c. */

static __attribute__((noinline)) void access_memory(const void *address, size_t size, int is_write, int is_atomic,
                                                    const char *caller)
{
    if (!is_active || is_own_stack(address) || UNLIKELY(handling.depth))
        return;
    if (self.in_device)
        shared_access(address, size, is_write, is_atomic ? ATOMIC : self.lock, caller);
    else
        host_access(address, size, is_write, caller);
    if (UNLIKELY(is_atomic) && is_ordering())
        orders(address);
}

/* ---- call-backs of -fsanitize=thread --------------------------------------------------------------------------------------- */

EXPORT void __tsan_init(void) {}
EXPORT void __tsan_func_exit(void) {}

/* Stack that a function begins to use does not hold what was known of it. */
EXPORT void __tsan_func_entry(void *caller)
{
    (void)caller;
    if (UNLIKELY(stack_residues) && !self.in_device && !handling.depth) {
        char *const low = (char *)__builtin_frame_address(0) - 4096, *const high = __builtin_frame_address(1);
        if (high > low && high - low < (1 << 20))
            host_memory_ends(low, (size_t)(high - low), NULL);
    }
}

static inline void plain_access(const char *address, size_t size, int is_write, const char *caller)
{
    if (is_own_stack(address)) {
        if (!is_write && size >= 4 && UNLIKELY(*(const uint32_t *)address == unset_word((uintptr_t)address)))
            read_own_copy(address, size, caller);
    } else if (UNLIKELY(!is_quick(address, size, is_write, caller))) {
        access_memory(address, size, is_write, 0, caller);
    }
}

#define ACCESS(size)                                                                                                          \
    EXPORT void __tsan_read##size(void *address) { plain_access(address, size, 0, CALLER); }                                  \
    EXPORT void __tsan_write##size(void *address) { plain_access(address, size, 1, CALLER); }                                 \
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
    static int compare_exchange##bits(volatile type *a, type *c, type v, const char *caller)                                  \
    {                                                                                                                         \
        access_memory((const void *)a, sizeof(type), 0, 1, caller);                                                           \
        access_memory((const void *)a, sizeof(type), 1, 1, caller);                                                           \
        return __atomic_compare_exchange_n(a, c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                   \
    }                                                                                                                         \
    EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int order, int failure)       \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        return compare_exchange##bits(a, c, v, CALLER);                                                                       \
    }                                                                                                                         \
    EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int order, int failure)         \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        return compare_exchange##bits(a, c, v, CALLER);                                                                       \
    }                                                                                                                         \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int order, int failure)          \
    {                                                                                                                         \
        (void)order, (void)failure;                                                                                           \
        compare_exchange##bits(a, &c, v, CALLER);                                                                             \
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
    static const char fences[8];
    (void)order;
    if (is_ordering())
        orders(fences);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
EXPORT void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- the C library --------------------------------------------------------------------------------------------------------- */

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
