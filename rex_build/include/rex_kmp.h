/* The part of LLVM libomptarget's binary interface that lowered host files use, LLVM 19 to 22 on 64-bit Linux.
 *
 * It is included at the top of a user's translation unit, which may be written in any dialect of C or C++. Therefore it
 * includes no headers other than its own parts, rex_host_*.h, and declares only names that begin with rex_, REX_ or __tgt_.
 * This file has the interface's types, flags and entry points; each part has one subject.
 */
#ifndef REX_KMP_H
#define REX_KMP_H
#pragma GCC system_header /* a project may have asked for any warning in its own text */

/* Stand around generated text in a function, and turn off warnings there that a project may have asked for in its own
 * text. -Wshadow is one: generated blocks lie inside each other and use the same names. */
#ifdef __cplusplus
#if __GNUC__ >= 11
#define REX_GENERATED_FOR_GCC \
    _Pragma("GCC diagnostic ignored \"-Wredundant-tags\"") _Pragma("GCC diagnostic ignored \"-Wuseless-cast\"")
#else
#define REX_GENERATED_FOR_GCC
#endif
#define REX_GENERATED_IN_LANGUAGE REX_GENERATED_FOR_GCC \
    _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"") _Pragma("GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"")
#else
#define REX_GENERATED_IN_LANGUAGE \
    _Pragma("GCC diagnostic ignored \"-Wnested-externs\"") _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#endif
#define REX_GENERATED_BEGIN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"") \
    _Pragma("GCC diagnostic ignored \"-Wcast-qual\"") _Pragma("GCC diagnostic ignored \"-Wsign-conversion\"") \
    _Pragma("GCC diagnostic ignored \"-Wconversion\"") _Pragma("GCC diagnostic ignored \"-Wvla\"") \
    _Pragma("GCC diagnostic ignored \"-Wpedantic\"") _Pragma("GCC diagnostic ignored \"-Wlong-long\"") \
    REX_GENERATED_IN_LANGUAGE
#define REX_GENERATED_END _Pragma("GCC diagnostic pop")

#include "rex_host_images.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A unit's table, which its registration reads. -fwhole-program hides everything else of a file. */
#ifdef __clang__
#define REX_TABLE __attribute__((__visibility__("hidden")))
#else
#define REX_TABLE __attribute__((__visibility__("hidden"), __externally_visible__))
#endif

#define REX_ENTRY_LINK 0x1 /* flags: a `declare target link` variable */

/* Only a function knows the addresses of its static variables. Their entries are in the function, in a section of the
 * unit, and are copied to their places in the table before it is registered. */
#define REX_STATICS(unit) __attribute__((used, section("rex_statics_" unit), aligned(32)))
#define REX_STATIC ((void *)0)

/* Arguments of one launch. The runtime writes into the structure, so every launch needs a fresh one. */
struct __tgt_kernel_arguments {
    rex_uint32 Version; /* REX_KERNEL_ARGS_VERSION */
    rex_uint32 NumArgs; /* rows in the four arrays */
    void **ArgBasePtrs;
    void **ArgPtrs;
    const rex_int64 *ArgSizes; /* bytes */
    const rex_int64 *ArgTypes; /* REX_MAP_* */
    void *const *ArgNames; /* REX_NAME */
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
#define REX_MAP_OMPX_HOLD 0x2000
/* The row belongs to the structure mapped by row `parent`, counted from 1, of the same call. */
#define REX_MAP_MEMBER_OF(parent) ((rex_int64)((rex_uint64)(parent) << 48))

/* A place in the user's source, as messages of the runtimes and profiles show it: libomp's ident_t. Neither a file name nor
 * a function's has a semicolon. */
struct rex_location {
    rex_int32 reserved, flags, more[2];
    const char *source; /* ";file;function;line;column;;" */
};
#define REX_LOCATION(file, function, line, column) {0, 2, {0, 0}, ";" file ";" function ";" #line ";" #column ";;"}

/* What a row maps, and where that is said. */
#define REX_NAME(name, file, line, column) ((void *)(";" name ";" file ";" #line ";" #column ";;"))

/* What became of a directive. Profiles show it. The section is not loaded when the program runs. */
#define REX_EXPLAINED(text) __asm__(".pushsection .rex_explained,\"\",%progbits\n\t.ascii \"" text "\"\n\t.popsection")

void __tgt_init_all_rtls(void);
void __tgt_register_lib(struct __tgt_bin_desc *desc);
void __tgt_unregister_lib(struct __tgt_bin_desc *desc);

/* Returns 0 if the kernel has run. Otherwise nothing was done, and the host version has to run. Device -1 is the default
 * device. `loc` may be null. */
int __tgt_target_kernel(const struct rex_location *loc, rex_int64 device, rex_int32 num_teams, rex_int32 thread_limit, void *host_id,
                        struct __tgt_kernel_arguments *args);

/* Whether a region of a run (see rex_in_order.h) has been launched; otherwise __tgt_target_kernel() has to. Bit n of own_rows
 * says that no other thread can reach the variable of row n. And the wait after the run. A run with calls has a begin and an
 * end instead, between which the regions of these functions are launched in the run. The registration defines all of them. */
int rex_launched_in_order(const struct rex_location *loc, void *host_id, struct __tgt_kernel_arguments *args,
                          rex_uint64 own_rows) __attribute__((visibility("hidden")));
int rex_launched_in_callers_run(const struct rex_location *loc, void *host_id, struct __tgt_kernel_arguments *args,
                                rex_uint64 own_rows) __attribute__((visibility("hidden")));
void rex_wait_for_launches(void) __attribute__((visibility("hidden")));
void rex_begin_run(void) __attribute__((visibility("hidden")));
/* Begins or ends a run that calls functions which other libraries might replace in a shared library. */
#if defined __PIC__ && !defined __PIE__
#define REX_UNLESS_SHARED(call) ((void)0)
#else
#define REX_UNLESS_SHARED(call) call
#endif
void rex_end_run(void) __attribute__((visibility("hidden")));

void __tgt_target_data_begin_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                    const rex_int64 *arg_sizes, const rex_int64 *arg_types, void *const *arg_names,
                                    void **arg_mappers);
void __tgt_target_data_end_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                  const rex_int64 *arg_sizes, const rex_int64 *arg_types, void *const *arg_names,
                                  void **arg_mappers);
void __tgt_target_data_update_mapper(const struct rex_location *loc, rex_int64 device, rex_int32 arg_num, void **args_base, void **args,
                                     const rex_int64 *arg_sizes, const rex_int64 *arg_types, void *const *arg_names,
                                     void **arg_mappers);

/* Whether the host compiler uses an instruction set, for context selectors with `isa`. It defines a macro as 1 then. */
#define REX_TEXT_OF(macro) #macro
#define REX_IS_DEFINED(macro) (sizeof REX_TEXT_OF(macro) == sizeof "1")
#define __builtin_rex_isa(sm, macro) REX_IS_DEFINED(macro)

/* Makes the default device ready. The program's registration unit defines it. It may be called any number of times. */
void rex_offload_init(void) __attribute__((visibility("hidden")));

/* The runtime also exports older functions with the next three names. These here call the current entry points. */
static __inline__ void __tgt_target_data_begin(const struct rex_location *location, rex_int64 device, rex_int32 arg_num,
                                               void **args_base, void **args, const rex_int64 *arg_sizes,
                                               const rex_int64 *arg_types, void *const *arg_names)
{
    __tgt_target_data_begin_mapper(location, device, arg_num, args_base, args, arg_sizes, arg_types, arg_names, 0);
}

static __inline__ void __tgt_target_data_end(const struct rex_location *location, rex_int64 device, rex_int32 arg_num,
                                             void **args_base, void **args, const rex_int64 *arg_sizes,
                                             const rex_int64 *arg_types, void *const *arg_names)
{
    __tgt_target_data_end_mapper(location, device, arg_num, args_base, args, arg_sizes, arg_types, arg_names, 0);
}

static __inline__ void __tgt_target_data_update(const struct rex_location *location, rex_int64 device, rex_int32 arg_num,
                                                void **args_base, void **args, const rex_int64 *arg_sizes,
                                                const rex_int64 *arg_types, void *const *arg_names)
{
    __tgt_target_data_update_mapper(location, device, arg_num, args_base, args, arg_sizes, arg_types, arg_names, 0);
}

/* The value of a pointer that the threads of a kernel share, before the first thread sets it. It is no valid address. */
extern void *rex_unset_pointer;
__attribute__((weak)) void *rex_unset_pointer = (void *)0x7265782d756e7365;

/* Keeps compilers from finding out that a variable has no value yet, when a region copies it but sets the copy first. */
static __inline__ int rex_may_be_set(volatile void *variable)
{
    __asm__ __volatile__("" : : "r"(variable) : "memory");
    return 0;
}

#ifdef __SANITIZE_THREAD__
__attribute__((weak)) void rex_check_packs(const volatile void *scalar, rex_size size);
#endif

/* A scalar of at most 8 bytes as a REX_MAP_LITERAL argument. Its bytes come first and the rest is zero. */
static __inline__ void *rex_pack_literal_arg_bytes(const volatile void *src, rex_size size)
{
    void *carrier = 0;
#ifdef __SANITIZE_THREAD__ /* perhaps for the check device */
    if (rex_check_packs)
        rex_check_packs(src, size);
#endif
    __builtin_memcpy(&carrier, (const void *)(rex_uint64)src, size);
    return carrier;
}

#include "rex_host_api.h"
#include "rex_host_teams.h"
#include "rex_host_launch.h"
#include "rex_host_ranges.h"
#include "rex_host_tasks.h"
#include "rex_host_interop.h"
#include "rex_host_rows.h"
#include "rex_host_pointers.h"

#ifdef __cplusplus
}

/* Ends compilation where a template is instantiated for T. */
#if __cplusplus >= 201103L
#define REX_REFUSED(T, why) static_assert(sizeof(T) == 0, why)
#else
#define REX_REFUSED(T, why) typedef const char rex_refused[sizeof(T) ? -1 : 1]
#endif
/* What stands in front of the brackets of an array section, if its type depends on a template's parameters. */
template <class T> struct rex_section_pointer {
    REX_REFUSED(T, "the base of an array section is taken for a pointer, but it is none");
    typedef rex_size size;
};
template <class T> struct rex_section_pointer<T *> { typedef rex_size size; };
template <class T> struct rex_section_pointer<const T> : rex_section_pointer<T> {};
template <class T> struct rex_section_pointer<T &> : rex_section_pointer<T> {};
template <class T> struct rex_section_base {
    REX_REFUSED(T, "the base of an array section is an object, neither a pointer nor an array");
    typedef rex_size size;
};
template <class T> struct rex_section_base<T *> { typedef rex_size size; };
template <class T> struct rex_section_base<const T> : rex_section_base<T> {};
template <class T, rex_size Length> struct rex_section_base<T[Length]> { typedef rex_size size; };
template <class T, rex_size Length> struct rex_section_base<const T[Length]> { typedef rex_size size; };
template <class T> struct rex_section_base<T[]> { typedef rex_size size; };
template <class T> struct rex_section_base<T &> : rex_section_base<T> {};
/* An inner dimension of an array section, whether it is whole. */
template <bool Is_whole> struct rex_section_whole {
    REX_REFUSED(rex_section_whole, "an inner dimension of an array section must be whole");
    typedef rex_size size;
};
template <> struct rex_section_whole<true> { typedef rex_size size; };
/* A member on the way to a list item. Where the device would find a reference, the host's address would be. */
template <class T> struct rex_section_member { typedef rex_size size; };
template <class T> struct rex_section_member<T &> {
    REX_REFUSED(T, "a list item uses a reference member, which cannot be mapped");
    typedef rex_size size;
};
#endif

#endif
