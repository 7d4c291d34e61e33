/* Host side of the device library tests: one image, one table, launches and checks.
 *
 * A test defines KERNELS(X) as X(name) X(name, anything) ..., includes this and is compiled with
 * -DIMAGE="path of the device image".
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "rex_kmp.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__asm__(".section .rodata\n.balign 16\nimage_begin:\n.incbin \"" IMAGE "\"\nimage_end:\n.previous\n");
extern char image_begin[] __attribute__((visibility("hidden"))), image_end[] __attribute__((visibility("hidden")));

#define DEFINE_ID(name, ...) static char name##_id;
#define ENTRY(name, ...) {&name##_id, (char *)#name, 0, 0, 0},
KERNELS(DEFINE_ID)
static struct __tgt_offload_entry entries[] = {KERNELS(ENTRY)};
#define ENTRIES_END (entries + sizeof entries / sizeof *entries)
static struct __tgt_device_image image = {image_begin, image_end, entries, ENTRIES_END};
static struct __tgt_bin_desc descriptor = {1, &image, entries, ENTRIES_END};

static void unregister(void) { __tgt_unregister_lib(&descriptor); }

__attribute__((constructor(101))) static void register_image(void)
{
    __tgt_register_lib(&descriptor);
    atexit(unregister);
}

struct argument {
    void *base;
    rex_int64 size, type;
};

static inline struct argument array_argument(void *array, size_t size)
{
    return (struct argument){array, (rex_int64)size, REX_MAP_TARGET_PARAM | REX_MAP_TOFROM};
}

static inline struct argument literal_argument(uint64_t value)
{
    return (struct argument){rex_pack_literal_arg_bytes(&value, sizeof value), sizeof value,
                             REX_MAP_TARGET_PARAM | REX_MAP_LITERAL};
}

/* Of objects declared here, so that sizeof gives their size. */
#define ARRAY(object) array_argument(object, sizeof object)
#define LITERAL(value) literal_argument(value)
#define SHAPE(blocks, threads) literal_argument((uint64_t)(blocks) << 32 | (threads))

#define MAX_ARGUMENTS 12

static void launch_kernel(void *id, unsigned blocks, unsigned threads, int count, const struct argument *arguments)
{
    void *base[MAX_ARGUMENTS];
    rex_int64 sizes[MAX_ARGUMENTS], types[MAX_ARGUMENTS];
    for (int i = 0; i < count; ++i) {
        base[i] = arguments[i].base;
        sizes[i] = arguments[i].size;
        types[i] = arguments[i].type;
    }
    struct __tgt_kernel_arguments packet = {.Version = REX_KERNEL_ARGS_VERSION,
                                            .NumArgs = (rex_uint32)count,
                                            .ArgBasePtrs = base,
                                            .ArgPtrs = base,
                                            .ArgSizes = sizes,
                                            .ArgTypes = types,
                                            .Flags = REX_KERNEL_FLAG_STRICT,
                                            .NumTeams = {blocks, 0, 0},
                                            .ThreadLimit = {threads, 0, 0}};
    if (__tgt_target_kernel(NULL, -1, (rex_int32)blocks, (rex_int32)threads, id, &packet) != 0) {
        fprintf(stderr, "not offloaded\n");
        exit(2);
    }
}

#define LAUNCH(name, blocks, threads, ...)                                                                             \
    launch_kernel(&name##_id, blocks, threads, sizeof((struct argument[]){__VA_ARGS__}) / sizeof(struct argument),     \
                  (struct argument[]){__VA_ARGS__})

static int failures;

#define CHECK_EQUAL(actual, expected, ...)                                                                             \
    do {                                                                                                               \
        const double actual_ = (double)(actual), expected_ = (double)(expected);                                       \
        if (!(actual_ == expected_) && ++failures <= 20) {                                                             \
            printf("%s:%d: %s is %.17g, not %.17g: ", __FILE__, __LINE__, #actual, actual_, expected_);                \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

static int report(void)
{
    printf("%d failures\n", failures);
    return failures != 0;
}

#endif
