/* What is called in place of libomptarget. Included by runtime.c. */

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

static void check_releases(const struct call *call)
{
    const int device = device_of(call);
    int32_t i;
    if (!is_active || !omp_target_is_present)
        return;
    for (i = 0; i < call->count; ++i)
        if (!is_parent(call, i) && call->pointers[i] && call->sizes[i] > 0 && !(call->types[i] & (ROW_LITERAL | ROW_PRIVATE))
            && ((call->types[i] & ROW_PTR_AND_OBJ) || !((uint64_t)call->types[i] >> 48))
            && !omp_target_is_present(call->pointers[i], device))
            report_double_release(call, i, device);
}

EXPORT int __tgt_target_kernel(struct location *location, int64_t device, int32_t teams, int32_t threads, void *host_id,
                               struct kernel_arguments *arguments)
{
    struct call call = {.location = location, .caller = CALLER, .device = device, .count = (int32_t)arguments->count,
                        .bases = arguments->bases, .pointers = arguments->pointers, .sizes = arguments->sizes, .types = arguments->types,
                        .names = arguments->names, .is_kernel = 1};
    const uint64_t before = device_accesses;
    int result;
    ORIGINAL(__tgt_target_kernel);
    enter_call(&call);
    call.is_new = __builtin_alloca((size_t)call.count + 1);
    if (is_active && before_call(&call))
        end_early();
    result = real(location, device, teams, threads, host_id, arguments);
    leave_call(&call, 1);
    if (!arguments->names) /* what rex_offload_init() launches is not the program's */
        __atomic_store_n(&device_accesses, before, __ATOMIC_RELAXED);
    else if (!result)
        __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
    return result;
}

#define DATA(name, ends, updates)                                                                                             \
    EXPORT void name##_mapper(struct location *location, int64_t device, int32_t count, void **bases, void **pointers,        \
                              int64_t *sizes, int64_t *types, void **names, void **mappers)                                   \
    {                                                                                                                         \
        struct call call = {.location = location, .caller = CALLER, .device = device, .count = count, .bases = bases,         \
                            .pointers = pointers, .sizes = sizes, .types = types, .names = names, .is_update = updates, .is_end = ends};            \
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
    if (unit->count == 0 && !dlsym(RTLD_NEXT, "__tgt_register_lib"))
        return; /* a program without regions, which the linker has not given libomptarget */
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
    if (is_active && memory && size && omp_get_initial_device && device != omp_get_initial_device() && is_readable(memory)) {
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

static SLOW void report_host_pointer(struct site *site)
{
    struct finding *finding;
    pthread_mutex_lock(&report_lock);
    finding = new_finding("unmapped-access", NULL, site, NULL);
    if (finding) {
        finding->at = place_of(site->caller);
        finding->message = text("this call takes an address of the host for one of the device");
        finding->help = text("give it the device's: put it into 'target data use_device_ptr(…)', or use omp_get_mapped_ptr");
        publish(finding);
    }
    pthread_mutex_unlock(&report_lock);
}

/* Whether the memory from or to which a call copies is where it says. */
static void check_side(const void *memory, size_t size, int device, int is_write, const char *caller)
{
    struct header header;
    struct block *block;
    if (!is_active || has_one_memory || self.in_runtime || !memory || !size || !omp_get_initial_device)
        return;
    block = device_block(memory);
    if (device < 0 || device == omp_get_initial_device()) {
        if (block && block->kind <= ALLOCATED)
            report_device_pointer(block, memory, size, is_write, site_of(caller));
    } else if (!block && ((memory_around(memory, &header) && header.owner == BY_PROGRAM) || is_program(memory))) {
        report_host_pointer(site_of(caller));
    }
}

/* Both sides of a copy of which at least so many bytes come from and go to these places. */
#define BOTH_SIDES(size, to_place, from_place)                                                                                \
    (check_side((const char *)from + (from_place), size, from_device, 0, CALLER),                                             \
     check_side((char *)to + (to_place), size, to_device, 1, CALLER))
#define COPYING(type, name, sides, parameters, arguments)                                                                     \
    EXPORT type name parameters                                                                                               \
    {                                                                                                                         \
        struct call call = {0};                                                                                               \
        type result;                                                                                                          \
        ORIGINAL(name);                                                                                                       \
        sides;                                                                                                                \
        enter_call(&call);                                                                                                    \
        result = real arguments;                                                                                              \
        leave_call(&call, 0);                                                                                                 \
        return result;                                                                                                        \
    }
COPYING(int, omp_target_memcpy, BOTH_SIDES(length, to_offset, from_offset),
        (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device, int from_device),
        (to, from, length, to_offset, from_offset, to_device, from_device))
COPYING(int, omp_target_memcpy_rect, BOTH_SIDES(element, 0, 0),
        (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
         const size_t *from_offsets, const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device),
        (to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, to_device, from_device))
COPYING(int, omp_target_memcpy_async, BOTH_SIDES(length, to_offset, from_offset),
        (void *to, const void *from, size_t length, size_t to_offset, size_t from_offset, int to_device, int from_device,
         int count, void *objects),
        (to, from, length, to_offset, from_offset, to_device, from_device, count, objects))
COPYING(int, omp_target_memcpy_rect_async, BOTH_SIDES(element, 0, 0),
        (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
         const size_t *from_offsets, const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device,
         int count, void *objects),
        (to, from, element, dimensions, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, to_device, from_device,
         count, objects))
COPYING(void *, omp_target_memset, check_side(memory, size, device, 1, CALLER), (void *memory, int value, size_t size, int device), (memory, value, size, device))
COPYING(void *, omp_target_memset_async, check_side(memory, size, device, 1, CALLER), (void *memory, int value, size_t size, int device, int count, void *objects),
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
