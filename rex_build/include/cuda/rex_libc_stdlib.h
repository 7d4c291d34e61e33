/* <stdlib.h>, and what CUDA lacks of <stdio.h>. Included by rex_libc.h. */
#pragma once

/* In front of every allocation stand its size, for realloc, and its beginning, for aligned_alloc. */
struct alignas(16) rex_c_block {
    void *begin;
    size_t size;
};

REX_FN void *rex_c_aligned_alloc(size_t alignment, size_t size)
{
    const size_t spare = sizeof(rex_c_block) + (alignment > 16 ? alignment : 0);
    char *begin = size <= SIZE_MAX - spare ? static_cast<char *>(malloc(size + spare)) : nullptr;
    if (!begin)
        return nullptr;
    char *memory = begin + sizeof(rex_c_block);
    if (alignment > 16)
        memory += (alignment - reinterpret_cast<uintptr_t>(memory) % alignment) % alignment;
    reinterpret_cast<rex_c_block *>(memory)[-1] = {begin, size};
    return memory;
}

REX_FN void *rex_c_malloc(size_t size) { return rex_c_aligned_alloc(16, size); }

REX_FN void rex_c_free(void *memory)
{
    if (memory)
        free(static_cast<rex_c_block *>(memory)[-1].begin);
}

REX_FN void *rex_c_calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return nullptr;
    void *memory = rex_c_malloc(count * size);
    return memory ? memset(memory, 0, count * size) : nullptr;
}

REX_FN void *rex_c_realloc(void *old, size_t size)
{
    void *memory = rex_c_malloc(size);
    if (old && memory) {
        const size_t before = static_cast<rex_c_block *>(old)[-1].size;
        memcpy(memory, old, before < size ? before : size);
        rex_c_free(old);
    }
    return memory;
}

/* Reads the digits of a number: its absolute value, whether there is a minus, and whether it fits. The caller applies the
 * limits of its type. */
REX_FN unsigned long rex_c_digits(const char *s, char **end, int base, bool *is_negative, bool *fits)
{
    const char *at = s;
    while (rex_c_isspace(static_cast<unsigned char>(*at)))
        ++at;
    *is_negative = *at == '-';
    at += *at == '-' || *at == '+';
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x'
        && rex_c_isxdigit(static_cast<unsigned char>(at[2]))) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    unsigned long value = 0;
    bool any = false;
    *fits = true;
    for (;; ++at, any = true) {
        const int c = rex_c_tolower(static_cast<unsigned char>(*at));
        const int digit = rex_c_isdigit(c) ? c - '0' : rex_c_islower(c) ? c - 'a' + 10 : 99;
        if (digit >= base)
            break;
        *fits = *fits && value <= (ULONG_MAX - digit) / base;
        value = value * base + digit;
    }
    if (end)
        *end = const_cast<char *>(any ? at : s);
    return value;
}

REX_FN unsigned long rex_c_strtoul(const char *s, char **end, int base)
{
    bool is_negative, fits;
    const unsigned long value = rex_c_digits(s, end, base, &is_negative, &fits);
    return !fits ? ULONG_MAX : is_negative ? 0 - value : value;
}

REX_FN long rex_c_strtol(const char *s, char **end, int base)
{
    bool is_negative, fits;
    const unsigned long value = rex_c_digits(s, end, base, &is_negative, &fits);
    if (!fits || value > static_cast<unsigned long>(LONG_MAX) + is_negative)
        return is_negative ? LONG_MIN : LONG_MAX;
    return static_cast<long>(is_negative ? 0 - value : value);
}

REX_FN unsigned long long rex_c_strtoull(const char *s, char **end, int base) { return rex_c_strtoul(s, end, base); }
REX_FN long long rex_c_strtoll(const char *s, char **end, int base) { return rex_c_strtol(s, end, base); }
REX_FN int rex_c_atoi(const char *s) { return static_cast<int>(rex_c_strtol(s, nullptr, 10)); }
REX_FN long rex_c_atol(const char *s) { return rex_c_strtol(s, nullptr, 10); }
REX_FN long long rex_c_atoll(const char *s) { return rex_c_strtol(s, nullptr, 10); }

using rex_c_order = int (*)(const void *, const void *);

REX_FN void *rex_c_bsearch(const void *key, const void *base, size_t count, size_t size, rex_c_order order)
{
    for (size_t low = 0, high = count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const void *at = static_cast<const char *>(base) + middle * size;
        const int found = order(key, at);
        if (found == 0)
            return const_cast<void *>(at);
        (found < 0 ? high : low) = found < 0 ? middle : middle + 1;
    }
    return nullptr;
}

/* Sorts by insertion, so that equal elements keep their order, as in glibc. */
REX_FN void rex_c_qsort(void *base, size_t count, size_t size, rex_c_order order)
{
    char *const first = static_cast<char *>(base);
    for (size_t i = 1; i < count; ++i)
        for (char *at = first + i * size; at != first && order(at - size, at) > 0; at -= size)
            for (size_t byte = 0; byte < size; ++byte) {
                const char moved = at[byte];
                at[byte] = at[byte - size];
                at[byte - size] = moved;
            }
}

REX_FN intmax_t rex_c_imaxabs(intmax_t x) { return rex_wrapped_abs(x); }
REX_FN div_t rex_c_div(int x, int y) { return {x / y, x % y}; }
REX_FN ldiv_t rex_c_ldiv(long x, long y) { return {x / y, x % y}; }
REX_FN lldiv_t rex_c_lldiv(long long x, long long y) { return {x / y, x % y}; }

REX_FN int rex_c_puts(const char *s) { return printf("%s\n", s); }
REX_FN int rex_c_putchar(int c)
{
    printf("%c", c);
    return static_cast<unsigned char>(c);
}

#define rex_c_abort() __trap()
