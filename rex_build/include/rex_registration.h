/* What the registrations of many units have in common. A registration defines, ahead of this:
   REX_LINKAGE               of rex_register_part() and rex_unregister_part()
   REX_REGISTERED_CPU        if an image is for the cpu device
   REX_REGISTERED_GPUS       if images are for GPUs: their compute capabilities, as 80, 90
   REX_REGISTERED_RECURSIVE  if functions of GPUs' code may call themselves
   REX_REGISTERED_ALLOCATES  if it takes memory from the device's heap
   REX_REGISTERED_READY      if there is a kernel that rex_offload_init() launches
   REX_REGISTERED_NOTHING    if there is no unit */
#ifndef REX_REGISTRATION_H
#define REX_REGISTRATION_H

#include <dlfcn.h>
#include <stdlib.h>
#include <stdio.h>
#ifdef REX_REGISTERED_GPUS
#include <string.h>
#include <strings.h>
#endif
#include "rex_gomp.h"
#ifdef REX_REGISTERED_GPUS
#include "rex_in_order.h"
#endif

#ifdef REX_REGISTERED_CPU
/* The CPU device's images use libomp, which is out of their sight when this library was opened with dlopen: opening
   libomp once more, as a global library this time, brings it in. */
static void rex_publish_libomp(void)
{
    Dl_info where;
    void *symbol = dlsym(RTLD_DEFAULT, "omp_get_max_threads");

    if (symbol && dladdr(symbol, &where) && where.dli_fname)
        dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* The images' names are known to all libraries that are opened later: a variable of such a library that other libraries
   may know, too, and that has such a name, would be the image's. */
static void rex_check_variables(const struct __tgt_bin_desc *unit)
{
    const struct __tgt_offload_entry *entry;
    Dl_info of_variable, of_image;

    for (entry = unit->HostEntriesBegin; entry != unit->HostEntriesEnd; ++entry)
        if (entry->size && dladdr(entry->addr, &of_variable) && of_variable.dli_fname) {
            void *const object = dlopen(of_variable.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
            void *const mark = object ? dlsym(object, "rex_cpu_image") : 0;

            if (mark && dladdr(mark, &of_image) && of_image.dli_fbase == of_variable.dli_fbase) {
                fprintf(stderr, "rex-build: error: '%s' of a library that was opened is the variable of this name in a "
                                "device image: make it static, or compile the library with -fvisibility=hidden\n",
                        entry->name);
                abort();
            }
            if (object)
                dlclose(object);
        }
}

#endif
#ifdef REX_REGISTERED_GPUS
/* LLVM's CUDA plugin has every wait for a kernel or a copy put the thread to sleep (CU_CTX_SCHED_BLOCKING_SYNC), which
   takes longer than many kernels do, unless it finds a device's primary context open: then it keeps that context's way
   of waiting. Hence these are opened ahead of it, to wait as in any CUDA program; OMP_WAIT_POLICY=passive leaves them to
   it. */
enum { REX_CUDA_MAJOR = 75, REX_CUDA_MINOR = 76 }; /* CUdevice_attribute: the compute capability */

static void *rex_driver;
#if defined(REX_REGISTERED_RECURSIVE) || defined(REX_REGISTERED_ALLOCATES)
static rex_uint64 rex_gpus; /* bit n: GPU n has an image */
#endif
static rex_uint64 rex_contexts; /* bit n: GPU n's is retained */
static int (*rex_retain_context)(void **, int), (*rex_release_context)(int);

static int rex_is(const char *variable, const char *value)
{
    const char *set = getenv(variable);

    return set && !strcasecmp(set, value);
}

/* Opens the contexts of all GPUs that have an image. */
static void rex_open_contexts(void)
{
    static const int archs[] = {REX_REGISTERED_GPUS};
    const int waits = !rex_is("OMP_WAIT_POLICY", "passive");
    int (*init)(unsigned int), (*count)(int *), (*attribute)(int *, int, int);
    int device, devices, major, minor;
    void *context;
    size_t i;

    rex_driver = dlopen("libcuda.so.1", RTLD_LAZY);
    if (!rex_driver || rex_is("OMP_TARGET_OFFLOAD", "disabled"))
        return;
    *(void **)&init = dlsym(rex_driver, "cuInit");
    *(void **)&count = dlsym(rex_driver, "cuDeviceGetCount");
    *(void **)&attribute = dlsym(rex_driver, "cuDeviceGetAttribute");
    *(void **)&rex_retain_context = dlsym(rex_driver, "cuDevicePrimaryCtxRetain");
    *(void **)&rex_release_context = dlsym(rex_driver, "cuDevicePrimaryCtxRelease_v2");
    if (!init || !count || !attribute || !rex_retain_context || !rex_release_context || init(0) || count(&devices))
        return;
    for (device = 0; device < devices && device < 64; ++device) { /* a CUdevice is its ordinal */
        if (attribute(&major, REX_CUDA_MAJOR, device) || attribute(&minor, REX_CUDA_MINOR, device))
            continue;
        for (i = 0; i < sizeof archs / sizeof archs[0]; ++i)
            if (archs[i] / 10 == major && archs[i] % 10 <= minor) {
#if defined(REX_REGISTERED_RECURSIVE) || defined(REX_REGISTERED_ALLOCATES)
                rex_gpus |= (rex_uint64)1 << device;
#endif
                if (waits && !rex_retain_context(&context, device))
                    rex_contexts |= (rex_uint64)1 << device;
                break;
            }
    }
}

/* Releases the contexts; by then the runtime holds them itself. */
static void rex_release_contexts(void)
{
    int device;

    for (device = 0; device < 64; ++device)
        if (rex_contexts >> device & 1)
            rex_release_context(device);
}

#endif
#if defined(REX_REGISTERED_RECURSIVE) || defined(REX_REGISTERED_ALLOCATES)
/* CUDA gives a thread a stack of 1 KiB where the compiler cannot tell what it takes, as for functions that call
   themselves, and malloc a heap of 8 MiB for all threads. Programs with such functions, or that allocate, get more,
   unless the user has said how much. It is the driver that is told, once the runtime holds the contexts: to change the
   environment is not safe while other threads read it, as they may where this is opened with dlopen. */
enum { REX_CUDA_STACK = 0, REX_CUDA_HEAP = 2 }; /* CUlimit */

static int (*rex_get_limit)(size_t *, int), (*rex_set_limit)(int, size_t);

static void rex_raise_limit(const char *variable, int limit, size_t bytes)
{
    size_t now;

    if (!getenv(variable) && !rex_get_limit(&now, limit) && now < bytes)
        rex_set_limit(limit, bytes);
}

static void rex_raise_limits(void)
{
    int (*state)(int, unsigned int *, int *), (*push)(void *), (*pop)(void **);
#ifdef REX_REGISTERED_ALLOCATES
    int (*total)(size_t *, int);
    size_t memory;
#endif
    int device, is_active;
    unsigned int flags;
    void *context;

    if (!rex_gpus)
        return;
    *(void **)&state = dlsym(rex_driver, "cuDevicePrimaryCtxGetState");
    *(void **)&push = dlsym(rex_driver, "cuCtxPushCurrent_v2");
    *(void **)&pop = dlsym(rex_driver, "cuCtxPopCurrent_v2");
    *(void **)&rex_get_limit = dlsym(rex_driver, "cuCtxGetLimit");
    *(void **)&rex_set_limit = dlsym(rex_driver, "cuCtxSetLimit");
#ifdef REX_REGISTERED_ALLOCATES
    *(void **)&total = dlsym(rex_driver, "cuDeviceTotalMem_v2");
#endif
    if (!state || !push || !pop || !rex_get_limit || !rex_set_limit)
        return;
    for (device = 0; device < 64; ++device) {
        if (!(rex_gpus >> device & 1) || state(device, &flags, &is_active) || !is_active
            || rex_retain_context(&context, device))
            continue;
        if (!push(context)) {
#ifdef REX_REGISTERED_RECURSIVE
            rex_raise_limit("LIBOMPTARGET_STACK_SIZE", REX_CUDA_STACK, 8192);
#endif
#ifdef REX_REGISTERED_ALLOCATES
            if (total && !total(&memory, device))
                rex_raise_limit("LIBOMPTARGET_HEAP_SIZE", REX_CUDA_HEAP, memory / 64);
#endif
            pop(&context);
        }
        rex_release_context(device);
    }
}

#endif
#ifdef REX_REGISTERED_READY
static char *rex_ready_kernel;

#endif
/* The runtime never frees what it allocates here, and LeakSanitizer would report it in every program. */
extern void rex_leaks_begin(void) __asm__("__lsan_disable") __attribute__((weak));
extern void rex_leaks_end(void) __asm__("__lsan_enable") __attribute__((weak));

static void *rex_kept(const void *data, rex_size size)
{
    void *const copy = malloc(size + 1);

    if (!copy)
        abort();
    return __builtin_memcpy(copy, data, size);
}

/* libomptarget keeps the addresses of descriptors and tables when they are unregistered, and takes others that are there
   later, of a library that is opened again, for the same. So it gets copies, which nothing frees. */
static void rex_copy_units(struct rex_part *part)
{
    struct __tgt_bin_desc *unit;
    struct __tgt_device_image *image;
    rex_size size;

    part->units = unit = (struct __tgt_bin_desc *)rex_kept(part->units, part->count * sizeof *unit);
    for (; unit != part->units + part->count; ++unit) {
        size = (rex_size)unit->NumDeviceImages * sizeof *image;
        unit->DeviceImages = (struct __tgt_device_image *)rex_kept(unit->DeviceImages, size);
        size = (rex_size)(unit->HostEntriesEnd - unit->HostEntriesBegin);
        unit->HostEntriesBegin =
            (struct __tgt_offload_entry *)rex_kept(unit->HostEntriesBegin, size * sizeof *unit->HostEntriesBegin);
        unit->HostEntriesEnd = unit->HostEntriesBegin + size;
        for (image = unit->DeviceImages; image != unit->DeviceImages + unit->NumDeviceImages; ++image) {
            image->EntriesBegin = unit->HostEntriesBegin;
            image->EntriesEnd = unit->HostEntriesEnd;
        }
    }
}

/* It also still has the library's variables on the device, where other memory may be later. When a library is closed, its
   destructors run ahead of its atexit functions, as they do when a program ends that was started with it; of others they
   run behind them then, and nothing comes later. */
extern int rex_is_present(const void *, int) __asm__("omp_target_is_present");
extern int rex_disassociate(const void *, int) __asm__("omp_target_disassociate_ptr");
static int rex_is_closed;

__attribute__((destructor)) static void rex_close(void)
{
    rex_is_closed = 1;
}

static void rex_forget_variables(const struct __tgt_bin_desc *unit)
{
    const struct __tgt_offload_entry *entry;
    int device;

    for (device = rex_num_devices() - 1; device >= 0; --device)
        for (entry = unit->HostEntriesBegin; entry != unit->HostEntriesEnd; ++entry)
            if (entry->size && rex_is_present(entry->addr, device))
                rex_disassociate(entry->addr, device);
}

/* Unregistering through atexit, set up only now, comes before the runtime's own tear-down. */
REX_LINKAGE void rex_register_part(struct rex_part *part, void (*unregister)(void))
{
    rex_size i;

#ifdef REX_REGISTERED_READY
    rex_ready_kernel = part->ready;
#endif
#ifdef REX_REGISTERED_CPU
    rex_publish_libomp();
#endif
#ifdef REX_REGISTERED_GPUS
    part->next = rex_parts;
    rex_parts = part;
    rex_open_contexts();
#endif
    if (rex_leaks_begin)
        rex_leaks_begin();
    rex_copy_units(part);
    for (i = 0; i < part->count; ++i) {
#ifdef REX_REGISTERED_CPU
        rex_check_variables(&part->units[i]);
#endif
        __tgt_register_lib(&part->units[i]);
    }
    if (rex_leaks_end)
        rex_leaks_end();
#ifdef REX_REGISTERED_GPUS
    rex_release_contexts();
#if defined(REX_REGISTERED_RECURSIVE) || defined(REX_REGISTERED_ALLOCATES)
    rex_raise_limits();
#endif
#endif
#ifdef REX_REGISTERED_NOTHING
    __tgt_init_all_rtls(); /* no image will make the runtime look for devices */
#endif
    atexit(unregister);
}

REX_LINKAGE void rex_unregister_part(struct rex_part *part)
{
    rex_size i;

#ifdef REX_REGISTERED_GPUS
    rex_unload_modules();
#endif
    for (i = part->count; i > 0; --i) {
        if (rex_is_closed)
            rex_forget_variables(&part->units[i - 1]);
        __tgt_unregister_lib(&part->units[i - 1]); /* the last one may take the runtime away */
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the default device ready: the images are loaded now instead of at the first launch. Where all have such a kernel,
   launches of an almost empty kernel take what the first ones of all cost more than later ones, with scalars as
   reductions have them, two of which are copied. Its grid and blocks have two rows, and the first scalar says afterwards
   whether the runtime kept them; only LLVM 22 is asked, since builds with assertions of earlier releases stop there.
   Weak: every registered part of a program brings one, and any of them does. */
__attribute__((weak)) REX_HIDDEN void rex_offload_init(void)
{
    static int done;
    static const struct rex_location location = REX_LOCATION("register_cubin.cpp", "rex_offload_init", 1, 1);
#ifdef REX_REGISTERED_READY
    enum { ROWS = 12 };
    static rex_int64 there[ROWS];
    static const rex_int64 types[ROWS] = {REX_MAP_TOFROM | REX_MAP_TARGET_PARAM, REX_MAP_TOFROM};
    const rex_uint32 second = &rex_tgt_interop_get ? 2 : 0;
    rex_int64 sizes[ROWS];
    void *where[ROWS];
    int i, row, teams, threads;
#endif
    int device;

    if (__atomic_exchange_n(&done, 1, __ATOMIC_ACQ_REL))
        return;
    device = rex_default_device();
    if (device < 0 || device >= rex_num_devices())
        return;
#ifdef REX_REGISTERED_READY
    for (row = 0; row < ROWS; ++row) {
        where[row] = &there[row];
        sizes[row] = row % 2 ? 8 : 4; /* the runtime keeps freed memory by its exact size */
    }
    for (i = 0; i < 3; ++i) { /* as generated launches do */
        struct __tgt_kernel_arguments arguments = {
            REX_KERNEL_ARGS_VERSION, ROWS, 0, 0, 0, 0, 0, 0, 0, REX_KERNEL_FLAG_STRICT, {1, 0, 0}, {16, 0, 0}, 0};
        teams = rex_limited(1, rex_omp_max_teams());
        threads = rex_limited(16, rex_omp_teams_thread_limit());
        arguments.NumTeams[1] = arguments.ThreadLimit[1] = second;
        arguments.ArgBasePtrs = arguments.ArgPtrs = where;
        arguments.ArgSizes = sizes;
        arguments.ArgTypes = types;
        __tgt_target_kernel(&location, device, teams, threads, rex_ready_kernel, &arguments);
    }
    __builtin_memcpy(&rex_two_dimensional, there, sizeof(rex_two_dimensional));
#else
    __tgt_target_data_begin_mapper(&location, device, 0, 0, 0, 0, 0, 0, 0);
#endif
}
#ifdef REX_REGISTERED_GPUS

enum { REX_INTEROP_STREAM = -9 }; /* omp_ipr_targetsync */
extern void *rex_interop_property(void *, int, int *) __asm__("omp_get_interop_ptr") __attribute__((weak));
__attribute__((weak)) REX_HIDDEN int rex_interop_wait(void *object)
{
    int (*context_of)(void *, void **), (*push)(void *), (*pop)(void **), (*synchronize)(void *), code = 0;
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), *context, *stream;

    if (!driver || !rex_interop_property)
        return 0;
    stream = rex_interop_property(object, REX_INTEROP_STREAM, &code);
    *(void **)&context_of = dlsym(driver, "cuStreamGetCtx");
    *(void **)&push = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void **)&pop = dlsym(driver, "cuCtxPopCurrent_v2");
    *(void **)&synchronize = dlsym(driver, "cuStreamSynchronize");
    if (code || !stream || !context_of || !push || !pop || !synchronize || context_of(stream, &context) || push(context))
        return 0;
    synchronize(stream);
    pop(&context);
    return 1;
}
#else

/* Without an image for a GPU, every region is waited for. */
__attribute__((weak)) REX_HIDDEN int rex_launched_in_order(const struct rex_location *location, void *identity,
                                                           struct __tgt_kernel_arguments *arguments,
                                                           rex_uint64 own_rows)
{
    (void)location, (void)identity, (void)arguments, (void)own_rows;
    return 0;
}

__attribute__((weak)) REX_HIDDEN int rex_launched_in_callers_run(const struct rex_location *location, void *identity,
                                                                 struct __tgt_kernel_arguments *arguments,
                                                                 rex_uint64 own_rows)
{
    return rex_launched_in_order(location, identity, arguments, own_rows);
}

__attribute__((weak)) REX_HIDDEN void rex_wait_for_launches(void) {}
__attribute__((weak)) REX_HIDDEN void rex_begin_run(void) {}
__attribute__((weak)) REX_HIDDEN void rex_end_run(void) {}
#endif

#ifdef __cplusplus
}
#endif

#endif
