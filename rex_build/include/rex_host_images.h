/* What a program registers with libomptarget: tables of entries, and images. Included by rex_kmp.h, and alone by the
 * registration of one unit, which is compiled for each object. */
#ifndef REX_HOST_IMAGES_H
#define REX_HOST_IMAGES_H
#pragma GCC system_header

typedef __INT32_TYPE__ rex_int32;
typedef __INT64_TYPE__ rex_int64;
typedef __UINT32_TYPE__ rex_uint32;
typedef __UINT64_TYPE__ rex_uint64;
typedef __SIZE_TYPE__ rex_size;

#ifdef __cplusplus
#if __cplusplus >= 201103L
#define REX_ABI_ASSERT(condition) static_assert(condition, #condition)
#else
#define REX_ABI_ASSERT(condition) extern const char (&rex_asserted)[(condition) ? 1 : -1]
#endif
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

struct __tgt_device_image {
    void *ImageStart;
    void *ImageEnd;
    struct __tgt_offload_entry *EntriesBegin;
    struct __tgt_offload_entry *EntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_device_image) == 32);

/* This must stay in place until it is unregistered, because the runtime keeps the pointer. */
struct __tgt_bin_desc {
    rex_int32 NumDeviceImages;
    struct __tgt_device_image *DeviceImages;
    struct __tgt_offload_entry *HostEntriesBegin;
    struct __tgt_offload_entry *HostEntriesEnd;
};
REX_ABI_ASSERT(sizeof(struct __tgt_bin_desc) == 32);

#ifdef __cplusplus
}
#endif

#endif
