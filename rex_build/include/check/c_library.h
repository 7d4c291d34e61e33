/* Functions of the C library that read and write what they are given, called by the program or its device code. Included by
 * runtime.c.
 *
 * What a function reads is noted in front of it, because it may overwrite it, and what it writes behind it. Its results are
 * those of the C library. Functions that the compiler would have written in place are calls in instrumented code.
 */

static inline int is_noted(const char *caller)
{
    return UNLIKELY(is_active) && !self.in_runtime && (is_program(caller) || (self.in_device && !is_in(caller, &own_library)));
}

static inline void reads(const void *memory, size_t size, const char *caller)
{
    if (size && is_noted(caller))
        access_memory(memory, size, 0, 0, caller);
}

static inline void writes(const void *memory, size_t size, const char *caller)
{
    if (size && is_noted(caller))
        access_memory(memory, size, 1, 0, caller);
}

/* The bytes of a string, at most `most`, with the null behind it. */
static size_t string_size(const char *text, size_t most)
{
    size_t size = 0;
    while (size < most && text[size++])
        ;
    return size;
}

static inline void reads_string(const char *text, size_t most, const char *caller)
{
    if (is_noted(caller))
        access_memory(text, string_size(text, most), 0, 0, caller);
}

/* How much of two strings is compared. */
static inline void compares(const char *a, const char *b, size_t most, const char *caller)
{
    size_t size = 0;
    if (!is_noted(caller))
        return;
    while (size < most && a[size] == b[size] && a[size])
        ++size;
    size += size < most;
    reads(a, size, caller);
    reads(b, size, caller);
}

#define NEXT(type, name, parameters)                                                                                          \
    static type(*real) parameters;                                                                                            \
    if (UNLIKELY(!real))                                                                                                      \
    *(void **)&real = dlsym(RTLD_NEXT, #name)
#define LIBRARY(type, name, parameters, arguments, before, after)                                                             \
    EXPORT type name parameters                                                                                               \
    {                                                                                                                         \
        const char *const caller = CALLER;                                                                                    \
        type result;                                                                                                          \
        NEXT(type, name, parameters);                                                                                         \
        before;                                                                                                               \
        result = real arguments;                                                                                              \
        after;                                                                                                                \
        (void)caller;                                                                                                         \
        return result;                                                                                                        \
    }
#define NOTHING (void)0

LIBRARY(int, memcmp, (const void *a, const void *b, size_t size), (a, b, size),
        (reads(a, size, caller), reads(b, size, caller)), NOTHING)
LIBRARY(void *, memchr, (const void *text, int c, size_t size), (text, c, size), NOTHING,
        reads(text, result ? (size_t)((char *)result - (char *)text) + 1 : size, caller))
LIBRARY(void *, mempcpy, (void *to, const void *from, size_t size), (to, from, size), reads(from, size, caller),
        writes(to, size, caller))
LIBRARY(size_t, strlen, (const char *text), (text), NOTHING, reads(text, result + 1, caller))
LIBRARY(size_t, strnlen, (const char *text, size_t most), (text, most), NOTHING, reads(text, result + (result < most), caller))
LIBRARY(char *, strcpy, (char *to, const char *from), (to, from), reads_string(from, SIZE_MAX, caller),
        writes(to, string_size(to, SIZE_MAX), caller))
LIBRARY(char *, stpcpy, (char *to, const char *from), (to, from), reads_string(from, SIZE_MAX, caller),
        writes(to, (size_t)(result - to) + 1, caller))
LIBRARY(char *, strncpy, (char *to, const char *from, size_t size), (to, from, size), reads_string(from, size, caller),
        writes(to, size, caller))
LIBRARY(char *, strcat, (char *to, const char *from), (to, from),
        (reads_string(to, SIZE_MAX, caller), reads_string(from, SIZE_MAX, caller)), writes(to, string_size(to, SIZE_MAX), caller))
LIBRARY(char *, strncat, (char *to, const char *from, size_t size), (to, from, size),
        (reads_string(to, SIZE_MAX, caller), reads_string(from, size, caller)), writes(to, string_size(to, SIZE_MAX), caller))
LIBRARY(int, strcmp, (const char *a, const char *b), (a, b), compares(a, b, SIZE_MAX, caller), NOTHING)
LIBRARY(int, strncmp, (const char *a, const char *b, size_t size), (a, b, size), compares(a, b, size, caller), NOTHING)
LIBRARY(char *, strchr, (const char *text, int c), (text, c), NOTHING,
        reads(text, result ? (size_t)(result - text) + 1 : string_size(text, SIZE_MAX), caller))
LIBRARY(char *, strrchr, (const char *text, int c), (text, c), reads_string(text, SIZE_MAX, caller), NOTHING)
LIBRARY(char *, strstr, (const char *text, const char *part), (text, part),
        (reads_string(text, SIZE_MAX, caller), reads_string(part, SIZE_MAX, caller)), NOTHING)
LIBRARY(char *, strdup, (const char *text), (text), reads_string(text, SIZE_MAX, caller), NOTHING)
LIBRARY(size_t, fread, (void *to, size_t size, size_t count, FILE *file), (to, size, count, file), NOTHING,
        writes(to, size * result, caller))
LIBRARY(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), (from, size, count, file),
        reads(from, size * count, caller), NOTHING)
LIBRARY(char *, fgets, (char *to, int size, FILE *file), (to, size, file), NOTHING,
        writes(to, result ? string_size(to, SIZE_MAX) : 0, caller))
LIBRARY(int, puts, (const char *text), (text), reads_string(text, SIZE_MAX, caller), NOTHING)
LIBRARY(int, fputs, (const char *text, FILE *file), (text, file), reads_string(text, SIZE_MAX, caller), NOTHING)
LIBRARY(ssize_t, read, (int file, void *to, size_t size), (file, to, size), NOTHING,
        writes(to, result > 0 ? (size_t)result : 0, caller))
LIBRARY(ssize_t, write, (int file, const void *from, size_t size), (file, from, size), reads(from, size, caller), NOTHING)

/* With -D_FORTIFY_SOURCE. */
LIBRARY(void *, __memcpy_chk, (void *to, const void *from, size_t size, size_t room), (to, from, size, room),
        reads(from, size, caller), writes(to, size, caller))
LIBRARY(void *, __memmove_chk, (void *to, const void *from, size_t size, size_t room), (to, from, size, room),
        reads(from, size, caller), writes(to, size, caller))
LIBRARY(void *, __memset_chk, (void *to, int value, size_t size, size_t room), (to, value, size, room), NOTHING,
        writes(to, size, caller))
LIBRARY(char *, __strcpy_chk, (char *to, const char *from, size_t room), (to, from, room), reads_string(from, SIZE_MAX, caller),
        writes(to, string_size(to, SIZE_MAX), caller))

EXPORT void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    NEXT(void, qsort, (void *, size_t, size_t, int (*)(const void *, const void *)));
    reads(items, count * size, CALLER);
    real(items, count, size, compare);
    writes(items, count * size, CALLER);
}

EXPORT int vsnprintf(char *to, size_t room, const char *format, va_list arguments)
{
    int length;
    NEXT(int, vsnprintf, (char *, size_t, const char *, va_list));
    length = real(to, room, format, arguments);
    if (room && length >= 0)
        writes(to, (size_t)length < room ? (size_t)length + 1 : room, CALLER);
    return length;
}

EXPORT __attribute__((format(printf, 3, 4))) int snprintf(char *to, size_t room, const char *format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(to, room, format, arguments);
    va_end(arguments);
    if (room && length >= 0)
        writes(to, (size_t)length < room ? (size_t)length + 1 : room, CALLER);
    return length;
}

EXPORT __attribute__((format(printf, 2, 3))) int sprintf(char *to, const char *format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsprintf(to, format, arguments);
    va_end(arguments);
    writes(to, length >= 0 ? (size_t)length + 1 : 0, CALLER);
    return length;
}
