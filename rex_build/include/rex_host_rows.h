/* Map arrays whose number of rows only the run knows, for iterators, mappers of several elements and sections with gaps.
 * Included by rex_kmp.h.
 */
#ifndef REX_HOST_ROWS_H
#define REX_HOST_ROWS_H

/* The bytes from the first element of a section to its last, if the section covers `rows` bytes in whole rows of `row`
 * bytes, and `part` bytes of the last row. */
static __inline__ rex_int64 rex_rows_size(rex_int64 rows, rex_int64 row, rex_int64 part)
{
    return rows > 0 && part > 0 ? rows - row + part : 0;
}

/* Members that generated text names are called so that no macro of the user's is. */
struct rex_rows {
    rex_int64 rex_count, room;
    void **rex_bases, **rex_ptrs, **rex_names;
    rex_int64 *rex_sizes, *rex_types;
};

/* The smallest storage that holds everything covered so far. */
struct rex_extent {
    char *rex_low, *rex_high;
};

static __inline__ void rex_cover(struct rex_extent *extent, void *start, rex_int64 size)
{
    char *low = (char *)start;
    if (!extent->rex_high || low < extent->rex_low)
        extent->rex_low = low;
    if (!extent->rex_high || low + size > extent->rex_high)
        extent->rex_high = low + size;
}

/* Makes the row of a pointer to the end of a section that another row maps lead into that section. */
static __inline__ void rex_end_of_row(rex_int64 row, rex_int64 rows, void **ptr, const rex_int64 *sizes)
{
    char *const pointer = (char *)ptr[row - 1];
    rex_int64 i, ends = 0;
    for (i = 0; i < rows; ++i) {
        const rex_int64 offset = pointer - (char *)ptr[i];
        if (sizes[i] > 0 && offset >= 0 && offset < sizes[i])
            return;
        ends |= sizes[i] > 0 && offset == sizes[i];
    }
    if (ends)
        ptr[row - 1] = (void *)((rex_uint64)pointer - 1);
}

static __inline__ void *rex_grow(void *old, rex_size bytes)
{
    void *grown = __builtin_realloc(old, bytes);
    if (!grown) {
        __builtin_printf("rex-build: no memory for the rows of a target construct\n");
        __builtin_abort();
    }
    return grown;
}

/* Zeroed memory of `size` bytes. */
static __inline__ void *rex_zeroed(rex_int64 size)
{
    void *const memory = __builtin_calloc((rex_size)size, 1);
    if (!memory)
        __builtin_abort();
    return memory;
}

/* Adds a row and returns its number from 1, which REX_MAP_MEMBER_OF takes. */
static __inline__ rex_int64 rex_row(struct rex_rows *rows, void *base, void *ptr, rex_int64 size, rex_int64 type,
                                   void *name)
{
    if (rows->rex_count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->rex_bases = (void **)rex_grow(rows->rex_bases, (rex_size)rows->room * sizeof(void *));
        rows->rex_ptrs = (void **)rex_grow(rows->rex_ptrs, (rex_size)rows->room * sizeof(void *));
        rows->rex_sizes = (rex_int64 *)rex_grow(rows->rex_sizes, (rex_size)rows->room * sizeof(rex_int64));
        rows->rex_types = (rex_int64 *)rex_grow(rows->rex_types, (rex_size)rows->room * sizeof(rex_int64));
        rows->rex_names = (void **)rex_grow(rows->rex_names, (rex_size)rows->room * sizeof(void *));
    }
    rows->rex_bases[rows->rex_count] = base;
    rows->rex_ptrs[rows->rex_count] = ptr;
    rows->rex_sizes[rows->rex_count] = size;
    rows->rex_types[rows->rex_count] = type;
    rows->rex_names[rows->rex_count] = name;
    return ++rows->rex_count;
}

/* REX_MAP_MEMBER_OF for a row number that only the run knows. The interface has 16 bits for it. */
static __inline__ rex_int64 rex_member_of(rex_int64 parent)
{
    if (parent > 0xffff) {
        __builtin_printf("rex-build: more than 65535 mapped objects with members in one target construct\n");
        __builtin_abort();
    }
    return REX_MAP_MEMBER_OF(parent);
}

/* The same rows for the end of a construct. The bases get back the values that the beginning has overwritten, and nothing
 * has to be present any more. */
static __inline__ struct rex_rows rex_end_rows(const struct rex_rows *rows)
{
    struct rex_rows copy = {0, 0, 0, 0, 0, 0, 0};
    rex_int64 i;
    for (i = 0; i < rows->rex_count; ++i)
        rex_row(&copy, rows->rex_bases[i], rows->rex_ptrs[i], rows->rex_sizes[i],
                rows->rex_types[i] & ~(rex_int64)REX_MAP_PRESENT, rows->rex_names[i]);
    return copy;
}

static __inline__ void rex_free_rows(struct rex_rows *rows)
{
    __builtin_free(rows->rex_bases);
    __builtin_free(rows->rex_ptrs);
    __builtin_free(rows->rex_sizes);
    __builtin_free(rows->rex_types);
    __builtin_free(rows->rex_names);
}

#endif
