/* Rows that depend on what a device holds already, numbered from 1. Included by rex_kmp.h.
 *
 * A row that is a member, even of itself only, does not change the reference count of its storage or of the pointer which
 * it attaches.
 */
#ifndef REX_HOST_POINTERS_H
#define REX_HOST_POINTERS_H

/* Attaches a section to its base pointer by the section's row, if the pointer is on the device and the section is not. */
static __inline__ void rex_attach(rex_int64 device, void *pointer, rex_int64 row, void **base, void **ptr,
                                  const rex_int64 *size, rex_int64 *type)
{
    if (size[row - 1] > 0 && rex_on_device(device, pointer) && !rex_on_device(device, ptr[row - 1])) {
        base[row - 1] = pointer;
        type[row - 1] |= REX_MAP_PTR_AND_OBJ | rex_member_of(row);
    }
}

/* Does the transfer of `always` to storage that is on the device already, in the way of `target update`, which keeps
 * attached pointers in it. The construct's own transfer would overwrite them (LLVM 19), or LLVM 22 would leave it out. */
static __inline__ void rex_refresh(const struct rex_location *location, rex_int64 device, rex_int64 row, void **ptr,
                                   const rex_int64 *size, rex_int64 *type)
{
    const rex_int64 to = REX_MAP_TO;
    if (size[row - 1] > 0 && rex_on_device(device, ptr[row - 1])) {
        type[row - 1] &= ~to;
        __tgt_target_data_update(location, device, 1, &ptr[row - 1], &ptr[row - 1], &size[row - 1], &to, 0);
    }
}

/* Storage of pointers that is on a device because constructs have mapped sections through them, and how often. */
struct rex_carrier {
    char *begin, *end;
    int device, seen; /* it has been found on the device: if it is not there any more, it was removed */
    rex_int64 count;
};

/* These are kept in a tree of the C library, as there may be many. */
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
        rex_yield(); /* lets the holder run if there are more threads than processors */
}

/* Overlapping storage compares equal, so the tree holds no overlapping entries. */
static __inline__ int rex_compare_carriers(const void *one, const void *other)
{
    const struct rex_carrier *const a = (const struct rex_carrier *)one, *const b = (const struct rex_carrier *)other;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->end <= b->begin ? -1 : a->begin >= b->end;
}

/* Any entry that overlaps this storage. */
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

/* The first entry that overlaps this storage. */
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

/* The end of a construct whose row covers several entries, because earlier constructs have entered them one by one. */
static __inline__ void rex_leave_carriers(const struct rex_location *location, rex_int64 device,
                                          struct rex_carrier *one, char *end, rex_int64 type)
{
    const rex_int64 how = type & REX_MAP_DELETE;
    while (one) {
        void *storage = one->begin;
        const rex_int64 bytes = one->end - one->begin;
        char *const next = one->end;
        const int number = one->device;
        if (rex_on_device(device, storage))
            __tgt_target_data_end(location, device, 1, &storage, &storage, &bytes, &how, 0);
        if (--one->count == 0 || how)
            rex_drop_carrier(one);
        one = rex_first_carrier(number, next, end);
    }
}

/* Counts a row for such storage when a construct begins (`change` is 1) or ends (-1). It is not counted if the storage is
 * on the device for another reason, such as being part of a structure that the program has mapped. */
static __inline__ void rex_carry(const struct rex_location *location, rex_int64 device, int change, rex_int64 row, void **ptr,
                                 const rex_int64 *size, rex_int64 *type)
{
    char *const begin = (char *)ptr[row - 1], *const end = begin + size[row - 1];
    const int number = device < 0 ? rex_default_device() : (int)device;
    struct rex_carrier *found;
    int present;
    if (type[row - 1] & REX_MAP_MEMBER_OF(0xffff)) /* the beginning of the construct did not count it */
        return;
    rex_lock_carriers();
    found = change < 0 ? rex_first_carrier(number, begin, end) : 0;
    if (found && (found->begin > begin || found->end < end)) {
        rex_leave_carriers(location, device, found, end, type[row - 1]);
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

/* Removes pointers from the device that are there only for sections, if a row maps larger storage around them, because the
 * runtime cannot extend storage. If the construct also maps their sections, they are attached in the new storage. */
static __inline__ void rex_extend(const struct rex_location *location, rex_int64 device, rex_int64 row, void **ptr,
                                  const rex_int64 *size)
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
            __tgt_target_data_end(location, device, 1, &storage, &storage, &bytes, &type, 0);
        rex_drop_carrier(one);
    }
    __sync_lock_release(&rex_carriers_lock);
}

/* A copy of an object, in front of its bytes and, behind these, of as many bytes that are not 0 where the copy has device
 * addresses. */
struct rex_copied {
    char *object;
    rex_int64 size;
};

static __inline__ struct rex_copied *rex_copy_of(char *object, rex_int64 size)
{
    struct rex_copied *const copied = (struct rex_copied *)rex_zeroed((rex_int64)sizeof(*copied) + 2 * size);
    copied->object = object;
    copied->size = size;
    __builtin_memcpy((char *)(copied + 1), object, (rex_size)size);
    return copied;
}

/* Gives a pointer of the object a device address in the copy, if it leads to something that is on the device. */
static __inline__ void rex_lead_to_device(rex_int64 device, char *pointer, struct rex_copied *copied)
{
    char *const copy = (char *)(copied + 1) + (pointer - copied->object);
    void *value;
    __builtin_memcpy(&value, pointer, sizeof(value));
    value = rex_on_device(device, value);
    if (value) {
        __builtin_memcpy(copy, &value, sizeof(value));
        __builtin_memset(copy + copied->size, 1, sizeof(value));
    }
}

/* Moves an address in an object to the object's copy. A pointer there that a row attaches is the host's: the runtime
 * computes with it. */
static __inline__ void rex_to_copy(void **address, rex_int64 attaches, struct rex_copied *copied)
{
    char *const old = (char *)*address, *const now = (char *)(copied + 1) + (old - copied->object);
    if (old < copied->object || old >= copied->object + copied->size)
        return;
    *address = now;
    if (attaches)
        __builtin_memcpy(now, old, sizeof(void *));
}

/* Makes a row map a copy of an object, if only pointers of it are on the device, for their sections, or nothing of it. In
 * the copy these pointers have device addresses, and so have the first `pointers` of the `used` parts. The rows that are
 * members of this one, up to the last of `rows`, follow. Returns null if nothing is changed. */
static __inline__ char *rex_stand_in(rex_int64 device, rex_int64 row, rex_int64 rows, void **base, void **ptr,
                                     const rex_int64 *sizes, const rex_int64 *type, void *const *parts, int pointers,
                                     int used)
{
    const rex_int64 size = sizes[row - 1];
    char *const object = (char *)ptr[row - 1], *const end = object + size;
    char *copy, *cell;
    struct rex_copied *copied = 0;
    rex_int64 i;
    const int number = device < 0 ? rex_default_device() : (int)device;
    const struct rex_carrier *one;
    if ((!rex_carrier_tree && !used) || size <= 0 ||
        rex_shift(device, (rex_uint64)object) == rex_shift(device, (rex_uint64)end - 1))
        return 0;
    rex_lock_carriers();
    for (one = rex_first_carrier(number, object, end); one; one = rex_first_carrier(number, one->end, end))
        if (rex_on_device(device, one->begin)) { /* perhaps with pointers beside the object's mapped part */
            copied = copied ? copied : rex_copy_of(object, size);
            for (cell = one->begin; cell + sizeof(void *) <= one->end; cell += sizeof(void *))
                if (cell >= object && cell + sizeof(void *) <= end)
                    rex_lead_to_device(device, cell, copied);
        }
    __sync_lock_release(&rex_carriers_lock);
    if (!copied) {
        for (i = 0; i < used; ++i)
            if (rex_on_device(device, parts[i])) /* the program has mapped it, and the runtime says what that means */
                return 0;
        if (!used || rex_on_device(device, object) || rex_on_device(device, end - 1))
            return 0;
    }
    for (i = 0; i < pointers; ++i) {
        void *value;
        __builtin_memcpy(&value, parts[i], sizeof(value));
        if (!value || !rex_on_device(device, value))
            continue;
        copied = copied ? copied : rex_copy_of(object, size);
        rex_lead_to_device(device, (char *)parts[i], copied);
    }
    if (!copied)
        return 0;
    copy = (char *)(copied + 1);
    ptr[row - 1] = copy;
    base[row - 1] = copy - (object - (char *)base[row - 1]);
    for (i = row; i < rows; ++i)
        if ((type[i] & REX_MAP_MEMBER_OF(0xffff)) == rex_member_of(row)) {
            rex_to_copy(&base[i], type[i] & REX_MAP_PTR_AND_OBJ, copied);
            rex_to_copy(&ptr[i], 0, copied);
        }
    return (char *)copied;
}

/* Writes what a region has changed in such a copy to the object. */
static __inline__ void rex_stand_out(char *place)
{
    const struct rex_copied *const copied = (const struct rex_copied *)(void *)place;
    const char *const copy = (const char *)(copied + 1);
    rex_int64 i;
    for (i = 0; copied && i < copied->size; ++i)
        if (!copy[copied->size + i] && copied->object[i] != copy[i]) /* other bytes may be in memory that cannot be written */
            copied->object[i] = copy[i];
    __builtin_free(place);
}

#endif
