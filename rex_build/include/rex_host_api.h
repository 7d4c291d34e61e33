/* Functions of the OpenMP API that libomptarget or libomp implement wrongly or under other names. Included by rex_kmp.h. */
#ifndef REX_HOST_API_H
#define REX_HOST_API_H

/* Device numbers in programs: -1 is omp_initial_device, which is the host (OpenMP 5.2, section 1.2.1). */
extern int rex_initial_device(void) __asm__("omp_get_initial_device");

static __inline__ int rex_device_number(int device)
{
    return device == -1 ? rex_initial_device() : device;
}

/* Without the prefix, these names belong to libomp's Fortran versions. */
void rex_set_affinity_format(const char *) __asm__("ompc_set_affinity_format");
rex_size rex_get_affinity_format(char *, rex_size) __asm__("ompc_get_affinity_format");
void rex_display_affinity(const char *) __asm__("ompc_display_affinity");
rex_size rex_capture_affinity(char *, rex_size, const char *) __asm__("ompc_capture_affinity");

extern int rex_num_devices(void) __asm__("omp_get_num_devices");
extern int rex_num_procs(void) __asm__("omp_get_num_procs");

/* Devices may use memory that they share with the host. libomptarget does not take that into account. */
static __inline__ int rex_shared_is_accessible(const void *memory, rex_size size, int device)
{
    (void)size;
    return memory && device >= -1 && device <= rex_num_devices();
}

/* The handle for device code of an allocator with `count` traits, as the device library's omp_init_allocator() makes it.
 * The type of traits is in omp.h, which the host compiler need not have. */
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

/* Functions with depend objects as arguments. */

int rex_memcpy(void *, const void *, rex_size, rex_size, rex_size, int, int) __asm__("omp_target_memcpy");
int rex_memcpy_rect(void *, const void *, rex_size, int, const rex_size *, const rex_size *, const rex_size *,
                    const rex_size *, const rex_size *, int, int) __asm__("omp_target_memcpy_rect");
void *rex_memset(void *, int, rex_size, int) __asm__("omp_target_memset");

/* Waits for the tasks that depend objects refer to. Dependences of the kind `inout` wait for all kinds. */
static __inline__ void rex_wait_for(int count, void *objects)
{
#ifdef _OPENMP
#ifdef __clang__ /* an object points to its dependences; their number is in front of the first one */
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
#else /* a dependence is an address and a kind */
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

#endif
