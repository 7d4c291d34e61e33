/* Launches of regions that follow one another in a CUDA stream, and the wait for all of them. The registration of a program
 * or library with images for GPUs includes this, in C or C++.
 *
 * The host file calls rex_launched_in_order() before __tgt_target_kernel() for the regions of a run: statements of one
 * function, such as a loop over time steps, that call nothing else, and of whose kernels it is known which mapped memory
 * they read and write, and that they keep nothing in the image. rex_wait_for_launches() follows the run. A region is
 * launched at once and not waited for if all its data is on the device already. This data is held until the wait, so that
 * other threads' exit data cannot release it. Small variables that no other thread can reach need not be there: one transfer
 * takes them to the device, and one takes them back, which is waited for. Everything else is left to the runtime, after a wait.
 *
 * A run may call functions of its unit in which nothing else stands than in a run. It is between rex_begin_run() and
 * rex_end_run() then. What those functions launch belongs to the run, also that of their own runs.
 *
 * The runtime does not tell its kernels' handles. So the image is loaded once more, into the same context.
 *
 * `rex-build profile` is told of each launch and wait, if it can get the kernels' times from the GPU.
 */
#ifndef REX_IN_ORDER_H
#define REX_IN_ORDER_H

#ifdef __cplusplus
extern "C" {
#endif

#define REX_IN_ORDER __attribute__((weak, visibility("hidden")))

/* All parts of a program or library that are registered, as a list. */
extern struct rex_part *rex_parts REX_IN_ORDER;
struct rex_part *rex_parts;

enum {
    REX_CUDA_ATTRIBUTES = 3,
    REX_CUDA_CONTEXT = 1, /* CUpointer_attribute */
    REX_CUDA_MEMORY_TYPE = 2,
    REX_CUDA_MANAGED = 8,
    REX_CUDA_ON_DEVICE = 2, /* CUmemorytype */
    REX_CUDA_NON_BLOCKING = 1 /* CUstream_flags */
};

/* The functions of the driver. */
static struct {
    int (*current)(void **), (*push)(void *), (*pop)(void **), (*error)(int, const char **);
    int (*load)(void **, const void *), (*unload)(void *), (*function)(void **, void *, const char *);
    int (*attributes)(unsigned int, int *, void **, rex_uint64);
    int (*create)(void **, unsigned int), (*synchronize)(void *);
    int (*launch)(void *, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                  void *, void **, void **);
    int (*host_memory)(void **, rex_size), (*memory)(rex_uint64 *, rex_size);
    int (*to_device)(rex_uint64, const void *, rex_size, void *), (*from_device)(void *, rex_uint64, rex_size, void *);
} rex_cuda;

/* The functions of a profile (recorder.c), or 0. */
static const struct rex_profile {
    void (*begins)(const struct rex_location *, const struct __tgt_kernel_arguments *);
    void (*ends)(int device, const struct __tgt_kernel_arguments *, int is_launched);
    void (*wait_begins)(void), (*wait_ends)(void);
} *rex_profile;

enum { REX_GPUS = 16, REX_HELD = 64, REX_PLACES = 16, REX_KERNELS = 1024, REX_MODULES = 256 };
enum { REX_SMALL = 16, REX_STAGING = 4096 }; /* bytes: of a small variable at most, and of all that a stream has for them */

static int rex_in_order_lock;
static void *rex_gpu_contexts[REX_GPUS];

/* Streams that no thread uses at the moment, and the memory for their small variables on both sides. */
static struct rex_stream {
    void *stream, *staging;
    rex_uint64 on_device;
    struct rex_stream *next;
} *rex_streams[REX_GPUS];

/* The rows of a region's small variables, which are not on the device. Each has REX_SMALL bytes of the staging memory. */
struct rex_small {
    int rows[REX_HELD], count;
};

/* Kernels by their host identities. A function of 0 says that the kernel cannot be had. */
static struct {
    void *identity, *function;
    int device;
} rex_kernels[REX_KERNELS];

static struct {
    const struct __tgt_bin_desc *unit;
    void *module, *context;
    int device;
} rex_modules[REX_MODULES];
static int rex_module_count;

/* What a thread has launched since its last wait, and the data that it holds for that. */
static __thread struct {
    int device, launches, held, places, open; /* how many runs with calls it is in */
    rex_size staged; /* bytes of the staging memory that are in use */
    struct rex_stream *stream;
    void *bases[REX_HELD], *ptrs[REX_HELD], *found[REX_HELD];
    rex_int64 sizes[REX_HELD], types[REX_HELD];
    const struct rex_location *place[REX_PLACES], *last;
} rex_run;

static void rex_lock_in_order(void)
{
    while (__sync_lock_test_and_set(&rex_in_order_lock, 1))
        rex_yield();
}

static void rex_unlock_in_order(void)
{
    __sync_lock_release(&rex_in_order_lock);
}

/* Whether a variable of the environment asks for what only the runtime does, or knows. */
static int rex_is_watched(void)
{
    static const char *const names[] = {"LIBOMPTARGET_INFO", "LIBOMPTARGET_DEBUG", "LIBOMPTARGET_PROFILE",
                                        "OMP_TOOL_LIBRARIES", "CUDA_LAUNCH_BLOCKING"};
    const struct rex_profile *(*profile)(void);
    rex_size i;
    for (i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (getenv(names[i]))
            return 1;
    if (!getenv("REX_PROFILE_DIR"))
        return 0;
    *(void **)&profile = dlsym(dlopen(0, RTLD_LAZY), "rex_profile_in_order");
    rex_profile = profile ? profile() : 0;
    return !rex_profile;
}

static int rex_find_driver(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!driver || rex_is_watched())
        return 0;
    *(void **)&rex_cuda.current = dlsym(driver, "cuCtxGetCurrent");
    *(void **)&rex_cuda.push = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void **)&rex_cuda.pop = dlsym(driver, "cuCtxPopCurrent_v2");
    *(void **)&rex_cuda.error = dlsym(driver, "cuGetErrorString");
    *(void **)&rex_cuda.load = dlsym(driver, "cuModuleLoadData");
    *(void **)&rex_cuda.unload = dlsym(driver, "cuModuleUnload");
    *(void **)&rex_cuda.function = dlsym(driver, "cuModuleGetFunction");
    *(void **)&rex_cuda.attributes = dlsym(driver, "cuPointerGetAttributes");
    *(void **)&rex_cuda.create = dlsym(driver, "cuStreamCreate");
    *(void **)&rex_cuda.synchronize = dlsym(driver, "cuStreamSynchronize");
    *(void **)&rex_cuda.launch = dlsym(driver, "cuLaunchKernel");
    *(void **)&rex_cuda.host_memory = dlsym(driver, "cuMemAllocHost_v2");
    *(void **)&rex_cuda.memory = dlsym(driver, "cuMemAlloc_v2");
    *(void **)&rex_cuda.to_device = dlsym(driver, "cuMemcpyHtoDAsync_v2");
    *(void **)&rex_cuda.from_device = dlsym(driver, "cuMemcpyDtoHAsync_v2");
    return rex_cuda.current && rex_cuda.push && rex_cuda.pop && rex_cuda.error && rex_cuda.load && rex_cuda.unload
           && rex_cuda.function && rex_cuda.attributes && rex_cuda.create && rex_cuda.synchronize && rex_cuda.launch
           && rex_cuda.host_memory && rex_cuda.memory && rex_cuda.to_device && rex_cuda.from_device;
}

static int rex_has_driver(void)
{
    static int state; /* 0 not asked yet, 1 no, 2 yes */
    int found = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (!found) {
        rex_lock_in_order();
        if (!state)
            __atomic_store_n(&state, 1 + rex_find_driver(), __ATOMIC_RELEASE);
        found = state;
        rex_unlock_in_order();
    }
    return found == 2;
}

/* Makes a context current, if it is not, and says whether it has to be removed again. */
static int rex_enter(void *context)
{
    void *now = 0;
    return (rex_cuda.current(&now) || now != context) && !rex_cuda.push(context);
}

static void rex_leave(int entered)
{
    void *context;
    if (entered)
        rex_cuda.pop(&context);
}

/* Ends the program as the runtime does if a kernel fails. */
static void rex_fail(int error)
{
    const char *text = "unknown error";
    int i;
    rex_cuda.error(error, &text);
    fprintf(stderr, "rex-build: CUDA error: %s\n", text);
    fprintf(stderr, "rex-build: it came up in %s:\n",
            rex_run.places > 1 ? "one of these regions, which were launched one after the other" : "this region");
    for (i = 0; i < rex_run.places; ++i) {
        const char *file = rex_run.place[i]->source + 1, *function, *line, *column;
        function = strchr(file, ';');
        line = function ? strchr(function + 1, ';') : 0;
        column = line ? strchr(line + 1, ';') : 0;
        if (column)
            fprintf(stderr, "  %.*s:%.*s, in '%.*s'\n", (int)(function - file), file, (int)(column - line - 1), line + 1,
                    (int)(line - function - 1), function + 1);
    }
    if (rex_run.places > 1)
        fprintf(stderr, "rex-build: CUDA_LAUNCH_BLOCKING=1 waits for each of them, and tells which\n");
    abort();
}

/* The module of a unit's image for a device, or 0. The lock is held, and the device's context is current. */
static void *rex_module_of(const struct __tgt_bin_desc *unit, int device)
{
    void *module = 0;
    int i;
    for (i = 0; i < rex_module_count; ++i)
        if (rex_modules[i].unit == unit && rex_modules[i].device == device)
            return rex_modules[i].module;
    if (rex_module_count == REX_MODULES)
        return 0;
    for (i = 0; i < unit->NumDeviceImages; ++i)
        if (!rex_cuda.load(&module, unit->DeviceImages[i].ImageStart))
            break;
        else
            module = 0;
    rex_modules[rex_module_count].unit = unit;
    rex_modules[rex_module_count].device = device;
    rex_modules[rex_module_count].context = rex_gpu_contexts[device];
    rex_modules[rex_module_count++].module = module;
    return module;
}

/* The function of a kernel on a device, or 0. The lock is held, and the device's context is current. */
static void *rex_load_kernel(void *identity, int device)
{
    struct rex_part *part;
    rex_size i;
    for (part = rex_parts; part; part = part->next)
        for (i = 0; i < part->count; ++i) {
            const struct __tgt_bin_desc *const unit = &part->units[i];
            const struct __tgt_offload_entry *entry;
            for (entry = unit->HostEntriesBegin; entry != unit->HostEntriesEnd; ++entry)
                if (entry->addr == identity) {
                    void *const module = rex_module_of(unit, device), *function = 0;
                    return module && !rex_cuda.function(&function, module, entry->name) ? function : 0;
                }
        }
    return 0;
}

static void *rex_kernel_of(void *identity, int device)
{
    const rex_uint64 key = (rex_uint64)identity + (rex_uint64)device * 7919;
    int at = (int)((key * 0x9e3779b97f4a7c15ull) >> 54), tried;
    void *function = 0;
    for (tried = 0; tried < REX_KERNELS; ++tried, at = (at + 1) % REX_KERNELS) {
        void *const known = __atomic_load_n(&rex_kernels[at].identity, __ATOMIC_ACQUIRE);
        if (known == identity && rex_kernels[at].device == device)
            return rex_kernels[at].function;
        if (!known)
            break;
    }
    rex_lock_in_order();
    for (; tried < REX_KERNELS && rex_kernels[at].identity; ++tried, at = (at + 1) % REX_KERNELS)
        if (rex_kernels[at].identity == identity && rex_kernels[at].device == device)
            break;
    if (tried < REX_KERNELS) {
        if (!rex_kernels[at].identity) {
            rex_kernels[at].function = rex_load_kernel(identity, device);
            rex_kernels[at].device = device;
            __atomic_store_n(&rex_kernels[at].identity, identity, __ATOMIC_RELEASE);
        }
        function = rex_kernels[at].function;
    }
    rex_unlock_in_order();
    return function;
}

/* Takes a stream of the device for this thread. The context is current. */
static int rex_take_stream(int device)
{
    struct rex_stream *found;
    rex_lock_in_order();
    found = rex_streams[device];
    if (found)
        rex_streams[device] = found->next;
    rex_unlock_in_order();
    if (!found) {
        found = (struct rex_stream *)calloc(1, sizeof *found);
        if (found && rex_cuda.create(&found->stream, REX_CUDA_NON_BLOCKING)) {
            free(found);
            found = 0;
        }
    }
    rex_run.stream = found;
    return found != 0;
}

/* Whether mapped storage is on the device as a whole, in memory that only the device reaches. Where the first such storage
 * lies is the context that the runtime uses for the device. */
static int rex_is_held_by_device(char *ptr, rex_int64 size)
{
    int asked[REX_CUDA_ATTRIBUTES] = {REX_CUDA_CONTEXT, REX_CUDA_MEMORY_TYPE, REX_CUDA_MANAGED};
    char *const first = (char *)rex_mapped_ptr(ptr, rex_run.device);
    unsigned int type = 0, managed = 0;
    void *context = 0, *known, *answers[REX_CUDA_ATTRIBUTES];
    if (!first || first == ptr || (size > 1 && (char *)rex_mapped_ptr(ptr + size - 1, rex_run.device) != first + size - 1))
        return 0;
    answers[0] = &context;
    answers[1] = &type;
    answers[2] = &managed;
    if (rex_cuda.attributes(REX_CUDA_ATTRIBUTES, asked, answers, (rex_uint64)first) || !context
        || type != REX_CUDA_ON_DEVICE || managed)
        return 0;
    known = __atomic_load_n(&rex_gpu_contexts[rex_run.device], __ATOMIC_ACQUIRE);
    if (!known)
        __atomic_store_n(&rex_gpu_contexts[rex_run.device], known = context, __ATOMIC_RELEASE);
    return known == context;
}

/* Holds the storage of some rows until the wait, if all of it is on the device. */
static int rex_hold(const struct rex_location *location, const struct __tgt_kernel_arguments *arguments, const int *rows,
                    int count)
{
    const int from = rex_run.held;
    int i;
    if (from + count > REX_HELD)
        return 0;
    for (i = 0; i < count; ++i) {
        const int row = rows[i];
        if (!rex_is_held_by_device((char *)arguments->ArgPtrs[row], arguments->ArgSizes[row]))
            return 0;
        rex_run.bases[from + i] = rex_run.found[from + i] = arguments->ArgBasePtrs[row];
        rex_run.ptrs[from + i] = arguments->ArgPtrs[row];
        rex_run.sizes[from + i] = arguments->ArgSizes[row];
        rex_run.types[from + i] = (arguments->ArgTypes[row] & ~(rex_int64)REX_MAP_TARGET_PARAM) | REX_MAP_RETURN_PARAM;
    }
    __tgt_target_data_begin_mapper(location, rex_run.device, count, rex_run.found + from, rex_run.ptrs + from,
                                   rex_run.sizes + from, rex_run.types + from, 0, 0);
    for (i = from; i < from + count; ++i)
        rex_run.types[i] &= ~(rex_int64)REX_MAP_RETURN_PARAM;
    rex_run.held += count;
    return 1;
}

/* Whether a row maps a small variable as a whole that is not on the device, and that no other thread maps meanwhile. */
static int rex_is_small(const struct __tgt_kernel_arguments *arguments, int row, rex_uint64 own_rows)
{
    char *const ptr = (char *)arguments->ArgPtrs[row];
    const rex_int64 size = arguments->ArgSizes[row];
    rex_int64 i;
    if (!(own_rows >> row & 1) || size < 1 || size > REX_SMALL
        || (arguments->ArgTypes[row] & ~(rex_int64)(REX_MAP_TOFROM | REX_MAP_TARGET_PARAM | REX_MAP_IMPLICIT)))
        return 0;
    for (i = 0; i < size; ++i)
        if (rex_mapped_ptr(ptr + i, rex_run.device))
            return 0;
    return 1;
}

/* The values of the kernel's parameters, without those of small variables. The first one belongs to the runtime, and kernels
 * do not read it. */
static int rex_parameters(const struct rex_location *location, const struct __tgt_kernel_arguments *arguments,
                          rex_uint64 own_rows, void **values, struct rex_small *small)
{
    int missing[REX_HELD], count = 0, pass, row, i;
    values[0] = 0;
    for (pass = 0; pass < 2; ++pass) {
        small->count = 0;
        for (row = 0; row < (int)arguments->NumArgs; ++row) {
            if (arguments->ArgTypes[row] & REX_MAP_LITERAL) {
                values[row + 1] = arguments->ArgBasePtrs[row];
                continue;
            }
            for (i = 0; i < rex_run.held; ++i)
                if (rex_run.ptrs[i] == arguments->ArgPtrs[row] && rex_run.sizes[i] == arguments->ArgSizes[row]
                    && rex_run.bases[i] == arguments->ArgBasePtrs[row])
                    break;
            if (i < rex_run.held) {
                rex_run.types[i] |= arguments->ArgTypes[row] & REX_MAP_TOFROM;
                values[row + 1] = rex_run.found[i];
            } else if (rex_is_small(arguments, row, own_rows)) {
                small->rows[small->count++] = row;
            } else {
                missing[count++] = row;
            }
        }
        if (!count)
            return 1;
        if (pass || !rex_hold(location, arguments, missing, count))
            return 0;
        count = 0;
    }
    return 1;
}

/* Waits for what the thread has launched, and goes on with the run. */
static void rex_wait(void)
{
    const int error = rex_cuda.synchronize(rex_run.stream->stream);
    if (error)
        rex_fail(error);
    rex_run.staged = 0;
}

/* Copies small variables to the device, and gives the kernel their addresses there. Returns 0 if there is no memory. */
static int rex_stage(const struct __tgt_kernel_arguments *arguments, const struct rex_small *small, void **values)
{
    struct rex_stream *const stream = rex_run.stream;
    const rex_size size = (rex_size)small->count * REX_SMALL;
    char *staging;
    int i, error, is_read = 0;
    if (!stream->staging && rex_cuda.host_memory(&stream->staging, REX_STAGING))
        return 0;
    if (!stream->on_device && rex_cuda.memory(&stream->on_device, REX_STAGING))
        return 0;
    if (rex_run.staged + size > REX_STAGING)
        rex_wait();
    staging = (char *)stream->staging + rex_run.staged;
    for (i = 0; i < small->count; ++i) {
        const int row = small->rows[i];
        const rex_uint64 place = stream->on_device + rex_run.staged + (rex_uint64)i * REX_SMALL;
        values[row + 1] = (void *)(place + (rex_uint64)arguments->ArgBasePtrs[row] - (rex_uint64)arguments->ArgPtrs[row]);
        if (arguments->ArgTypes[row] & REX_MAP_TO) {
            __builtin_memcpy(staging + i * REX_SMALL, arguments->ArgPtrs[row], (rex_size)arguments->ArgSizes[row]);
            is_read = 1;
        }
    }
    error = is_read ? rex_cuda.to_device(stream->on_device + rex_run.staged, staging, size, stream->stream) : 0;
    if (error)
        rex_fail(error);
    rex_run.staged += size;
    return 1;
}

/* Waits for the region's kernel and copies its small variables back, if any has to come back. */
static void rex_bring_back(const struct __tgt_kernel_arguments *arguments, const struct rex_small *small)
{
    const rex_size size = (rex_size)small->count * REX_SMALL, from = rex_run.staged - size;
    char *const staging = (char *)rex_run.stream->staging + from;
    int i, error, is_written = 0;
    for (i = 0; i < small->count; ++i)
        is_written |= (arguments->ArgTypes[small->rows[i]] & REX_MAP_FROM) != 0;
    if (!is_written)
        return;
    error = rex_cuda.from_device(staging, rex_run.stream->on_device + from, size, rex_run.stream->stream);
    if (error)
        rex_fail(error);
    rex_wait();
    for (i = 0; i < small->count; ++i) {
        const int row = small->rows[i];
        if (arguments->ArgTypes[row] & REX_MAP_FROM)
            __builtin_memcpy(arguments->ArgPtrs[row], staging + i * REX_SMALL, (rex_size)arguments->ArgSizes[row]);
    }
}

/* Launches a kernel behind those that the thread has launched since its last wait. Returns 0 if it cannot. */
static int rex_follow(const struct rex_location *location, void *identity, const struct __tgt_kernel_arguments *arguments,
                      rex_uint64 own_rows)
{
    void *values[REX_HELD + 1], *parameters[REX_HELD + 1], *function;
    const rex_uint32 *const teams = arguments->NumTeams, *const threads = arguments->ThreadLimit;
    struct rex_small small;
    int i, entered, error, known = 0;
    if (arguments->NumArgs > REX_HELD)
        return 0;
    if (!rex_run.launches && !rex_run.held) {
        rex_run.device = rex_default_device();
        if (rex_run.device < 0 || rex_run.device >= REX_GPUS || rex_run.device >= rex_num_devices())
            return 0;
    }
    if (!rex_parameters(location, arguments, own_rows, values, &small) || !rex_run.held)
        return 0;
    entered = rex_enter(rex_gpu_contexts[rex_run.device]);
    function = rex_kernel_of(identity, rex_run.device);
    if (!function || (!rex_run.stream && !rex_take_stream(rex_run.device))
        || (small.count && !rex_stage(arguments, &small, values))) {
        rex_leave(entered);
        return 0;
    }
    for (i = 0; i <= (int)arguments->NumArgs; ++i)
        parameters[i] = &values[i];
    for (i = 0; i < rex_run.places && !known; ++i)
        known = rex_run.place[i] == location;
    if (!known && rex_run.places < REX_PLACES)
        rex_run.place[rex_run.places++] = location;
    error = rex_cuda.launch(function, teams[0], teams[1] ? teams[1] : 1, 1, threads[0], threads[1] ? threads[1] : 1, 1, 0,
                            rex_run.stream->stream, parameters, 0);
    if (error)
        rex_fail(error);
    rex_run.last = location;
    ++rex_run.launches;
    rex_bring_back(arguments, &small);
    rex_leave(entered);
    return 1;
}

static void rex_wait_for_all(void)
{
    const struct rex_profile *const profile = rex_run.launches ? rex_profile : 0;
    if (profile)
        profile->wait_begins();
    if (rex_run.launches) {
        const int entered = rex_enter(rex_gpu_contexts[rex_run.device]);
        rex_wait();
        rex_leave(entered);
    }
    if (rex_run.stream) {
        rex_lock_in_order();
        rex_run.stream->next = rex_streams[rex_run.device];
        rex_streams[rex_run.device] = rex_run.stream;
        rex_unlock_in_order();
    }
    if (rex_run.held)
        __tgt_target_data_end_mapper(rex_run.last, rex_run.device, rex_run.held, rex_run.bases, rex_run.ptrs, rex_run.sizes,
                                     rex_run.types, 0, 0);
    rex_run.stream = 0;
    rex_run.launches = rex_run.held = rex_run.places = 0;
    if (profile)
        profile->wait_ends();
}

REX_IN_ORDER int rex_launched_in_order(const struct rex_location *location, void *identity,
                                       struct __tgt_kernel_arguments *arguments, rex_uint64 own_rows)
{
    int is_launched = 0;
    if (rex_has_driver()) {
        if (rex_profile)
            rex_profile->begins(location, arguments);
        is_launched = rex_follow(location, identity, arguments, own_rows);
        if (rex_profile)
            rex_profile->ends(rex_run.device, arguments, is_launched);
    }
    if (!is_launched)
        rex_wait_for_all();
    return is_launched;
}

REX_IN_ORDER int rex_launched_in_callers_run(const struct rex_location *location, void *identity,
                                             struct __tgt_kernel_arguments *arguments, rex_uint64 own_rows)
{
    return rex_run.open && rex_launched_in_order(location, identity, arguments, own_rows);
}

REX_IN_ORDER void rex_wait_for_launches(void)
{
    if (!rex_run.open)
        rex_wait_for_all();
}

REX_IN_ORDER void rex_begin_run(void)
{
    ++rex_run.open;
}

REX_IN_ORDER void rex_end_run(void)
{
    --rex_run.open;
    rex_wait_for_launches();
}

/* Unloads the modules, before the runtime closes the contexts. */
static void rex_unload_modules(void)
{
    rex_lock_in_order();
    while (rex_module_count > 0) {
        int entered;
        --rex_module_count;
        if (!rex_modules[rex_module_count].module)
            continue;
        entered = rex_enter(rex_modules[rex_module_count].context);
        rex_cuda.unload(rex_modules[rex_module_count].module);
        rex_leave(entered);
    }
    __builtin_memset(rex_kernels, 0, sizeof rex_kernels);
    rex_unlock_in_order();
}

#undef REX_IN_ORDER

#ifdef __cplusplus
}
#endif

#endif
