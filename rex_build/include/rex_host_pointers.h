/* Rows that depend on what a device holds already, numbered from 1. A part of rex_kmp.h, which includes it.
 *
 * A row that is a member, if only of itself, leaves the reference count of its storage as it is, or that of the pointer
 * which it attaches.
 */
#ifndef REX_HOST_POINTERS_H
#define REX_HOST_POINTERS_H

/* Where a section's base pointer is on the device and the section is not, the section's row attaches it. */
static __inline__ void rex_attach(rex_int64 device, void *pointer, rex_int64 row, void **base, void **ptr,
                                  const rex_int64 *size, rex_int64 *type)
{
    if (size[row - 1] > 0 && rex_on_device(device, pointer) && !rex_on_device(device, ptr[row - 1])) {
        base[row - 1] = pointer;
        type[row - 1] |= REX_MAP_PTR_AND_OBJ | rex_member_of(row);
    }
}

/* The transfer of `always` to storage that is on the device, as `target update` does it: pointers in it that are attached
 * stay so. A construct's own would overwrite them (LLVM 19), or is left out if there are any (LLVM 22). */
static __inline__ void rex_refresh(rex_int64 device, rex_int64 row, void **ptr, const rex_int64 *size, rex_int64 *type)
{
    const rex_int64 to = REX_MAP_TO;
    if (size[row - 1] > 0 && rex_on_device(device, ptr[row - 1])) {
        type[row - 1] &= ~to;
        __tgt_target_data_update(device, 1, &ptr[row - 1], &ptr[row - 1], &size[row - 1], &to);
    }
}

/* Storage that is on a device because constructs have mapped sections through pointers in it, and how often. */
struct rex_carrier {
    char *begin, *end;
    int device, seen; /* whether it has been found on the device: if so, and it is not any more, it was taken from there */
    rex_int64 count;
};

/* In a tree of the C library's, as there may be many. */
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
        rex_yield(); /* to whoever holds it, where there are more threads than processors */
}

/* Those that overlap are equal, of which the tree has one. */
static __inline__ int rex_compare_carriers(const void *one, const void *other)
{
    const struct rex_carrier *const a = (const struct rex_carrier *)one, *const b = (const struct rex_carrier *)other;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->end <= b->begin ? -1 : a->begin >= b->end;
}

/* Any of those that overlap some storage. */
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

/* The first of them. */
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

/* The end of a construct for several that its row reaches over, as earlier ones have entered them apart. */
static __inline__ void rex_leave_carriers(rex_int64 device, struct rex_carrier *one, char *end, rex_int64 type)
{
    const rex_int64 how = type & REX_MAP_DELETE;
    while (one) {
        void *storage = one->begin;
        const rex_int64 bytes = one->end - one->begin;
        char *const next = one->end;
        const int number = one->device;
        if (rex_on_device(device, storage))
            __tgt_target_data_end(device, 1, &storage, &storage, &bytes, &how);
        if (--one->count == 0 || how)
            rex_drop_carrier(one);
        one = rex_first_carrier(number, next, end);
    }
}

/* A row for such storage, where a construct begins (`change` is 1) or ends (-1). Where the storage is there for another
 * reason, as part of a structure that the program has mapped, the row is not counted. */
static __inline__ void rex_carry(rex_int64 device, int change, rex_int64 row, void **ptr, const rex_int64 *size,
                                 rex_int64 *type)
{
    char *const begin = (char *)ptr[row - 1], *const end = begin + size[row - 1];
    const int number = device < 0 ? rex_default_device() : (int)device;
    struct rex_carrier *found;
    int present;
    if (type[row - 1] & REX_MAP_MEMBER_OF(0xffff)) /* not counted at the construct's beginning */
        return;
    rex_lock_carriers();
    found = change < 0 ? rex_first_carrier(number, begin, end) : 0;
    if (found && (found->begin > begin || found->end < end)) {
        rex_leave_carriers(device, found, end, type[row - 1]);
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

/* Takes pointers from the device that are there for sections, where a row maps more than them: the runtime extends no
 * storage. Those whose sections the construct maps, too, are attached in the new storage. */
static __inline__ void rex_extend(rex_int64 device, rex_int64 row, void **ptr, const rex_int64 *size)
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
            __tgt_target_data_end(device, 1, &storage, &storage, &bytes, &type);
        rex_drop_carrier(one);
    }
    __sync_lock_release(&rex_carriers_lock);
}

/* Makes a row map a copy of an object, where nothing of it is on the device but pointers that are there for sections. In
 * the copy these have device addresses; what follows it marks their bytes. Null: the row is as it was. */
static __inline__ char *rex_stand_in(rex_int64 device, rex_int64 row, void **base, void **ptr, const rex_int64 *size)
{
    char *const object = (char *)ptr[row - 1], *const end = object + size[row - 1];
    char *copy = 0, *cell;
    const int number = device < 0 ? rex_default_device() : (int)device;
    const struct rex_carrier *one;
    if (!rex_carrier_tree || rex_shift(device, (rex_uint64)object) == rex_shift(device, (rex_uint64)end - 1))
        return 0;
    rex_lock_carriers();
    for (one = rex_first_carrier(number, object, end); one; one = rex_first_carrier(number, one->end, end))
        if (one->begin >= object && one->end <= end && rex_on_device(device, one->begin)) {
            if (!copy) {
                copy = (char *)rex_zeroed(2 * (end - object));
                __builtin_memcpy(copy, object, (rex_size)(end - object));
            }
            for (cell = one->begin; cell + sizeof(void *) <= one->end; cell += sizeof(void *)) {
                void *value;
                __builtin_memcpy(&value, cell, sizeof(value));
                if (value && rex_on_device(device, value)) {
                    value = rex_on_device(device, value);
                    __builtin_memcpy(copy + (cell - object), &value, sizeof(value));
                    __builtin_memset(copy + (end - object) + (cell - object), 1, sizeof(value));
                }
            }
        }
    __sync_lock_release(&rex_carriers_lock);
    if (copy)
        base[row - 1] = ptr[row - 1] = copy;
    return copy;
}

/* What a region has changed in such a copy goes to the object. */
static __inline__ void rex_stand_out(char *copy, void *object, rex_int64 size)
{
    rex_int64 i;
    for (i = 0; copy && i < size; ++i)
        if (!copy[size + i] && ((char *)object)[i] != copy[i]) /* what is constant may be nowhere to write to */
            ((char *)object)[i] = copy[i];
    __builtin_free(copy);
}

#endif
