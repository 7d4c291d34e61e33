/* Mapped ranges: their addresses on a device, and whether two of them overlap. Included by rex_kmp.h. */
#ifndef REX_HOST_RANGES_H
#define REX_HOST_RANGES_H

/* Whether two ranges of known size, in bytes, do not overlap. */
static __inline__ int rex_apart(const volatile void *a, rex_int64 a_size, const volatile void *b, rex_int64 b_size)
{
    const rex_uint64 x = (rex_uint64)a, y = (rex_uint64)b;
    return a_size > 0 && b_size > 0 && (x < y ? y - x >= (rex_uint64)a_size : x - y >= (rex_uint64)b_size);
}

extern int rex_default_device(void) __asm__("omp_get_default_device");
extern void *rex_mapped_ptr(const void *, int) __asm__("omp_get_mapped_ptr");

/* The address on a device that corresponds to a host address, or null if there is none. */
static __inline__ void *rex_on_device(rex_int64 device, const void *address)
{
    return address ? rex_mapped_ptr(address, device < 0 ? rex_default_device() : (int)device) : 0;
}

/* The distance from a host address to its address on a device, or to null if there is none. */
static __inline__ rex_uint64 rex_shift(rex_int64 device, rex_uint64 address)
{
    return (rex_uint64)rex_on_device(device, (const void *)address) - address;
}

/* Whether the piece of device memory to which a pointer leads goes on for at least `size` bytes behind it. */
static __inline__ int rex_reaches(rex_int64 device, const volatile void *pointer, rex_int64 size)
{
    const rex_uint64 begin = (rex_uint64)pointer, shift = rex_shift(device, begin);
    return shift != 0 - begin && rex_shift(device, begin + (rex_uint64)size - 1) == shift;
}

/* Whether the pieces of device memory to which two pointers lead are different ones. `a_shift` and `b_shift` are the
 * distances to their device addresses, and the sizes those of the sections that this construct maps. One of them is 0:
 * that pointer has no section, and nothing is known about it if it is not there. A section that is not there yet gets a
 * piece of its own. Different pieces can have one shift, as where a heap serves the host and the device in turn. But a
 * piece that holds both addresses also holds the byte below the higher one. */
static __inline__ int rex_elsewhere(const volatile void *a, rex_int64 a_size, rex_uint64 a_shift, const volatile void *b,
                                    rex_int64 b_size, rex_uint64 b_shift, rex_int64 device)
{
    const rex_uint64 x = (rex_uint64)a, y = (rex_uint64)b;
    const int a_is_there = a_shift != 0 - x, b_is_there = b_shift != 0 - y;
    if ((!a_is_there && a_size <= 0) || (!b_is_there && b_size <= 0) || x == y)
        return 0;
    return a_shift != b_shift || rex_shift(device, (x > y ? x : y) - 1) != a_shift;
}

/* A mapped range. `beyond` says whether its device memory existed before the launch and also holds the byte below it (0)
 * or above it (1); -1 means that this is not known yet. */
struct rex_range {
    const volatile void *begin;
    rex_int64 size;
    int beyond[2];
};

/* Whether no piece of device memory holds both the range and an address outside of it. Pieces rarely go beyond the range,
 * so that is asked first, once for all addresses. */
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

#endif
