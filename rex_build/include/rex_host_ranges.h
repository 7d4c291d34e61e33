/* Mapped ranges: what corresponds to them on a device, and whether two of them have anything in common. A part of
 * rex_kmp.h, which includes it.
 */
#ifndef REX_HOST_RANGES_H
#define REX_HOST_RANGES_H

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

#endif
