/* The part of LLVM libomptarget's binary interface that lowered host files use, LLVM 19 to 22 on 64-bit Linux.
 *
 * Included at the top of a user's translation unit in whatever C or C++ dialect that is written in. It therefore
 * includes no header and declares nothing outside the rex_, REX_ and __tgt_ names.
 */
#ifndef REX_KMP_H
#define REX_KMP_H

typedef __INT32_TYPE__ rex_int32;
typedef __INT64_TYPE__ rex_int64;
typedef __UINT32_TYPE__ rex_uint32;
typedef __UINT64_TYPE__ rex_uint64;
typedef __SIZE_TYPE__ rex_size;

#ifdef __cplusplus
#define REX_ABI_ASSERT(condition) static_assert(condition, #condition)
extern "C" {
#else
#define REX_ABI_ASSERT(condition) __extension__ _Static_assert(condition, #condition)
#endif

/* One kernel (size 0, addr = its host identity) or one `declare target` variable (size in bytes, addr = the host
 * variable). This 32-byte layout is native up to LLVM 19 and recognised by later releases as long as the first
 * entry of a table has a non-null addr. */
struct __tgt_offload_entry {
    void *addr;
    char *name; /* device symbol */
    rex_size size;
    rex_int32 flags;
    rex_int32 data;
};
REX_ABI_ASSERT(sizeof(struct __tgt_offload_entry) == 32);

#define REX_ENTRY_LINK 0x1 /* flags: a `declare target link` variable */

struct __tgt_device_image {
    void *ImageStart;
    void *ImageEnd;
    struct __tgt_offload_entry *EntriesBegin;
    struct __tgt_offload_entry *EntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_device_image) == 32);

/* Must stay in place until it is unregistered: the runtime keeps the pointer. */
struct __tgt_bin_desc {
    rex_int32 NumDeviceImages;
    struct __tgt_device_image *DeviceImages;
    struct __tgt_offload_entry *HostEntriesBegin;
    struct __tgt_offload_entry *HostEntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_bin_desc) == 32);

/* Arguments of one launch. The runtime writes into the structure, so every launch needs a fresh one. */
struct __tgt_kernel_arguments {
    rex_uint32 Version; /* REX_KERNEL_ARGS_VERSION */
    rex_uint32 NumArgs; /* rows in the four arrays */
    void **ArgBasePtrs;
    void **ArgPtrs;
    const rex_int64 *ArgSizes; /* bytes */
    const rex_int64 *ArgTypes; /* REX_MAP_* */
    void **ArgNames;
    void **ArgMappers;
    rex_uint64 Tripcount;
    rex_uint64 Flags; /* REX_KERNEL_FLAG_* */
    rex_uint32 NumTeams[3];
    rex_uint32 ThreadLimit[3];
    rex_uint32 DynCGroupMem; /* bytes of dynamic shared memory */
};
REX_ABI_ASSERT(sizeof(struct __tgt_kernel_arguments) == 104);

/* From version 3 on the kernel's first parameter is the runtime's hidden launch environment. */
#define REX_KERNEL_ARGS_VERSION 3
#define REX_KERNEL_FLAG_NOWAIT 0x1
#define REX_KERNEL_FLAG_STRICT 0x40 /* LLVM 23 takes teams and threads verbatim, earlier releases always do */

#define REX_MAP_ALLOC 0x0
#define REX_MAP_TO 0x1
#define REX_MAP_FROM 0x2
#define REX_MAP_TOFROM 0x3
#define REX_MAP_ALWAYS 0x4
#define REX_MAP_DELETE 0x8
#define REX_MAP_PTR_AND_OBJ 0x10
#define REX_MAP_TARGET_PARAM 0x20
#define REX_MAP_RETURN_PARAM 0x40
#define REX_MAP_PRIVATE 0x80
#define REX_MAP_LITERAL 0x100
#define REX_MAP_IMPLICIT 0x200
#define REX_MAP_CLOSE 0x400
#define REX_MAP_PRESENT 0x1000
/* The row belongs to the structure mapped by row `parent`, counted from 1, of the same call. */
#define REX_MAP_MEMBER_OF(parent) ((rex_int64)((rex_uint64)(parent) << 48))

void __tgt_init_all_rtls(void);
void __tgt_register_lib(struct __tgt_bin_desc *desc);
void __tgt_unregister_lib(struct __tgt_bin_desc *desc);

/* 0: the kernel has run. Otherwise nothing was done and the host version has to run. device -1 is the default device;
 * loc is a source position for messages and may be null. */
int __tgt_target_kernel(void *loc, rex_int64 device, rex_int32 num_teams, rex_int32 thread_limit, void *host_id,
                        struct __tgt_kernel_arguments *args);

void __tgt_target_data_begin_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                    const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                    void **arg_mappers);
void __tgt_target_data_end_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                  const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                  void **arg_mappers);
void __tgt_target_data_update_mapper(void *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                     const rex_int64 *arg_sizes, const rex_int64 *arg_types, void **arg_names,
                                     void **arg_mappers);

/* Makes the default device ready; defined by the program's registration unit. May be called any number of times. */
void rex_offload_init(void) __attribute__((visibility("hidden")));

/* The runtime also exports functions of the next three names; these shadow them with the current entry points. */
static __inline__ void __tgt_target_data_begin(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                               const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_begin_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

static __inline__ void __tgt_target_data_end(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                             const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_end_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

static __inline__ void __tgt_target_data_update(rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                                const rex_int64 *arg_sizes, const rex_int64 *arg_types)
{
    __tgt_target_data_update_mapper(0, device, arg_num, args_base, args, arg_sizes, arg_types, 0, 0);
}

/* The internal control variables that bound a league; 0 where nothing sets them. */
extern int rex_omp_max_teams(void) __asm__("omp_get_max_teams");
extern int rex_omp_teams_thread_limit(void) __asm__("omp_get_teams_thread_limit");

static __inline__ int rex_limited(int wanted, int most)
{
    return most > 0 && wanted > most ? most : wanted;
}

#define REX_MIN(a, b) ((a) < (b) ? (a) : (b))

/* Whether two ranges of known size in bytes have nothing in common. */
static __inline__ int rex_apart(const volatile void *a, rex_int64 a_size, const volatile void *b, rex_int64 b_size)
{
    const rex_uint64 x = (rex_uint64)a, y = (rex_uint64)b;
    return a_size > 0 && b_size > 0 && (x < y ? y - x >= (rex_uint64)a_size : x - y >= (rex_uint64)b_size);
}

/* The value of a scalar of at most 8 bytes as a REX_MAP_LITERAL argument: low bytes first, the rest zero. */
static __inline__ void *rex_pack_literal_arg_bytes(const void *src, rex_size size)
{
    void *carrier = 0;
    __builtin_memcpy(&carrier, src, size);
    return carrier;
}

/* ---- arrays whose number of rows only the run knows: iterators, mappers of several elements, sections with gaps ---- */

struct rex_rows {
    rex_int64 count, room;
    void **base, **ptr;
    rex_int64 *size, *type;
};

/* The smallest storage that holds everything covered so far. */
struct rex_extent {
    char *low, *high;
};

static __inline__ void rex_cover(struct rex_extent *extent, void *start, rex_int64 size)
{
    char *low = (char *)start;
    if (!extent->high || low < extent->low)
        extent->low = low;
    if (!extent->high || low + size > extent->high)
        extent->high = low + size;
}

static __inline__ void *rex_grow(void *old, rex_size bytes)
{
    void *grown = __builtin_realloc(old, bytes);
    if (!grown) {
        __builtin_puts("rex-build: no memory for the rows of a target construct");
        __builtin_abort();
    }
    return grown;
}

/* Adds a row and returns its number, from 1: what REX_MAP_MEMBER_OF takes. */
static __inline__ rex_int64 rex_row(struct rex_rows *rows, void *base, void *ptr, rex_int64 size, rex_int64 type)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 64;
        rows->base = (void **)rex_grow(rows->base, (rex_size)rows->room * sizeof(void *));
        rows->ptr = (void **)rex_grow(rows->ptr, (rex_size)rows->room * sizeof(void *));
        rows->size = (rex_int64 *)rex_grow(rows->size, (rex_size)rows->room * sizeof(rex_int64));
        rows->type = (rex_int64 *)rex_grow(rows->type, (rex_size)rows->room * sizeof(rex_int64));
    }
    rows->base[rows->count] = base;
    rows->ptr[rows->count] = ptr;
    rows->size[rows->count] = size;
    rows->type[rows->count] = type;
    return ++rows->count;
}

/* REX_MAP_MEMBER_OF for a row number that only the run knows; 16 bits is all the interface has for it. */
static __inline__ rex_int64 rex_member_of(rex_int64 parent)
{
    if (parent > 0xffff) {
        __builtin_puts("rex-build: more than 65535 mapped objects with members in one target construct");
        __builtin_abort();
    }
    return REX_MAP_MEMBER_OF(parent);
}

/* The same rows for the end of a construct: what the beginning wrote into the bases is undone, nothing has to be
 * present any more. */
static __inline__ struct rex_rows rex_end_rows(const struct rex_rows *rows)
{
    struct rex_rows copy = {0, 0, 0, 0, 0, 0};
    rex_int64 i;
    for (i = 0; i < rows->count; ++i)
        rex_row(&copy, rows->base[i], rows->ptr[i], rows->size[i], rows->type[i] & ~(rex_int64)REX_MAP_PRESENT);
    return copy;
}

static __inline__ void rex_free_rows(struct rex_rows *rows)
{
    __builtin_free(rows->base);
    __builtin_free(rows->ptr);
    __builtin_free(rows->size);
    __builtin_free(rows->type);
}

#ifdef __cplusplus
}
#endif

#endif
