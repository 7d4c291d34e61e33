/* The part of the C library that CUDA lacks, and gcc's builtins. Included by xomp_cuda_lib_inlined.cu for CUDA only: the
 * cpu device has the C library itself.
 */
#pragma once


REX_FN size_t rex_c_strlen(const char *s)
{
    size_t length = 0;
    while (s[length])
        ++length;
    return length;
}

REX_FN int rex_c_memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *p = static_cast<const unsigned char *>(a), *q = static_cast<const unsigned char *>(b);
    for (; size > 0; ++p, ++q, --size)
        if (*p != *q)
            return *p - *q;
    return 0;
}

REX_FN void *rex_c_memchr(const void *s, int c, size_t size)
{
    const unsigned char *p = static_cast<const unsigned char *>(s);
    for (; size > 0; ++p, --size)
        if (*p == static_cast<unsigned char>(c))
            return const_cast<unsigned char *>(p);
    return nullptr;
}

REX_FN void *rex_c_memmove(void *to, const void *from, size_t size)
{
    char *t = static_cast<char *>(to);
    const char *f = static_cast<const char *>(from);
    if (t < f)
        for (size_t i = 0; i < size; ++i)
            t[i] = f[i];
    else
        for (size_t i = size; i > 0; --i)
            t[i - 1] = f[i - 1];
    return to;
}

REX_FN int rex_c_bcmp(const void *a, const void *b, size_t size) { return rex_c_memcmp(a, b, size); }
REX_FN void rex_c_bcopy(const void *from, void *to, size_t size) { rex_c_memmove(to, from, size); }
REX_FN void rex_c_bzero(void *s, size_t size) { memset(s, 0, size); }

REX_FN int rex_c_strncmp(const char *a, const char *b, size_t size)
{
    for (; size > 0; ++a, ++b, --size)
        if (*a != *b || !*a)
            return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
    return 0;
}

REX_FN int rex_c_strcmp(const char *a, const char *b) { return rex_c_strncmp(a, b, SIZE_MAX); }

REX_FN char *rex_c_strchr(const char *s, int c)
{
    for (; *s != static_cast<char>(c); ++s)
        if (!*s)
            return nullptr;
    return const_cast<char *>(s);
}

REX_FN char *rex_c_strrchr(const char *s, int c)
{
    for (const char *p = s + rex_c_strlen(s) + 1; p != s;)
        if (*--p == static_cast<char>(c))
            return const_cast<char *>(p);
    return nullptr;
}

#define rex_c_index rex_c_strchr
#define rex_c_rindex rex_c_strrchr

REX_FN char *rex_c_strncpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    for (; i < size && from[i]; ++i)
        to[i] = from[i];
    for (; i < size; ++i)
        to[i] = '\0';
    return to;
}

REX_FN char *rex_c_strcpy(char *to, const char *from)
{
    memcpy(to, from, rex_c_strlen(from) + 1);
    return to;
}

REX_FN char *rex_c_strcat(char *to, const char *from)
{
    rex_c_strcpy(to + rex_c_strlen(to), from);
    return to;
}

REX_FN char *rex_c_strncat(char *to, const char *from, size_t size)
{
    char *end = to + rex_c_strlen(to);
    for (; size > 0 && *from; --size)
        *end++ = *from++;
    *end = '\0';
    return to;
}

/* Allocations know their size, for realloc, and where they begin, for aligned_alloc. */
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

REX_FN size_t rex_c_strnlen(const char *s, size_t size)
{
    size_t length = 0;
    while (length < size && s[length])
        ++length;
    return length;
}

REX_FN char *rex_c_strstr(const char *s, const char *part)
{
    const size_t length = rex_c_strlen(part);
    for (; rex_c_strncmp(s, part, length) != 0; ++s)
        if (!*s)
            return nullptr;
    return const_cast<char *>(s);
}

REX_FN size_t rex_c_strspn(const char *s, const char *set)
{
    size_t length = 0;
    while (s[length] && rex_c_strchr(set, s[length]))
        ++length;
    return length;
}

REX_FN size_t rex_c_strcspn(const char *s, const char *set)
{
    size_t length = 0;
    while (s[length] && !rex_c_strchr(set, s[length]))
        ++length;
    return length;
}

REX_FN char *rex_c_strpbrk(const char *s, const char *set)
{
    s += rex_c_strcspn(s, set);
    return *s ? const_cast<char *>(s) : nullptr;
}

REX_FN char *rex_c_strtok_r(char *s, const char *set, char **rest)
{
    s = s ? s : *rest;
    s += rex_c_strspn(s, set);
    char *end = s + rex_c_strcspn(s, set);
    *rest = *end ? end + 1 : end;
    if (end == s)
        return nullptr;
    *end = '\0';
    return s;
}

REX_FN char *rex_c_stpncpy(char *to, const char *from, size_t size)
{
    rex_c_strncpy(to, from, size);
    return to + rex_c_strnlen(to, size);
}

REX_FN char *rex_c_strndup(const char *s, size_t size)
{
    const size_t length = rex_c_strnlen(s, size);
    char *copy = static_cast<char *>(rex_c_malloc(length + 1));
    if (!copy)
        return nullptr;
    copy[length] = '\0';
    return static_cast<char *>(memcpy(copy, s, length));
}

REX_FN char *rex_c_strdup(const char *s) { return rex_c_strndup(s, SIZE_MAX); }

REX_FN char *rex_c_stpcpy(char *to, const char *from)
{
    const size_t length = rex_c_strlen(from);
    memcpy(to, from, length + 1);
    return to + length;
}

REX_FN void *rex_c_mempcpy(void *to, const void *from, size_t size)
{
    return static_cast<char *>(memcpy(to, from, size)) + size;
}

/* ---- <ctype.h>, in the C locale: what its macros read is a table, classes in glibc's bits ---------------------------- */

REX_FN unsigned short rex_c_classes(int c)
{
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    const bool hex = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'), graph = c > ' ' && c < 127;
    const bool space = c == ' ' || (c >= 9 && c <= 13), control = (c >= 0 && c < 32) || c == 127;
    return static_cast<unsigned short>(
        upper << 8 | lower << 9 | (upper || lower) << 10 | digit << 11 | hex << 12 | space << 13 | (graph || c == ' ') << 14
        | graph << 15 | (c == ' ' || c == 9) | control << 1 | (graph && !(upper || lower || digit)) << 2
        | (upper || lower || digit) << 3);
}

REX_FN int rex_c_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
REX_FN int rex_c_isascii(int c) { return (c & ~127) == 0; }
REX_FN int rex_c_toascii(int c) { return c & 127; }
REX_FN int rex_c_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
REX_FN int rex_c_isupper(int c) { return rex_c_classes(c) & 1 << 8; }
REX_FN int rex_c_islower(int c) { return rex_c_classes(c) & 1 << 9; }
REX_FN int rex_c_isalpha(int c) { return rex_c_classes(c) & 1 << 10; }
REX_FN int rex_c_isdigit(int c) { return rex_c_classes(c) & 1 << 11; }
REX_FN int rex_c_isxdigit(int c) { return rex_c_classes(c) & 1 << 12; }
REX_FN int rex_c_isspace(int c) { return rex_c_classes(c) & 1 << 13; }
REX_FN int rex_c_isprint(int c) { return rex_c_classes(c) & 1 << 14; }
REX_FN int rex_c_isgraph(int c) { return rex_c_classes(c) & 1 << 15; }
REX_FN int rex_c_isblank(int c) { return rex_c_classes(c) & 1; }
REX_FN int rex_c_iscntrl(int c) { return rex_c_classes(c) & 1 << 1; }
REX_FN int rex_c_ispunct(int c) { return rex_c_classes(c) & 1 << 2; }
REX_FN int rex_c_isalnum(int c) { return rex_c_classes(c) & 1 << 3; }

/* What __ctype_b_loc and its kin give is only ever dereferenced and indexed. */
template <class T, T (*entry)(int)>
struct rex_c_table {
    __device__ rex_c_table operator*() const { return {}; }
    __device__ T operator[](int c) const { return entry(c); }
};
REX_FN rex_c_table<unsigned short, rex_c_classes> rex_c___ctype_b_loc() { return {}; }
REX_FN rex_c_table<int, rex_c_tolower> rex_c___ctype_tolower_loc() { return {}; }
REX_FN rex_c_table<int, rex_c_toupper> rex_c___ctype_toupper_loc() { return {}; }

REX_FN int rex_c_strncasecmp(const char *a, const char *b, size_t size)
{
    for (; size > 0; ++a, ++b, --size) {
        const int x = rex_c_tolower(static_cast<unsigned char>(*a)), y = rex_c_tolower(static_cast<unsigned char>(*b));
        if (x != y || !x)
            return x - y;
    }
    return 0;
}

REX_FN int rex_c_strcasecmp(const char *a, const char *b) { return rex_c_strncasecmp(a, b, SIZE_MAX); }

/* ---- <stdlib.h> -------------------------------------------------------------------------------------------------- */

/* The digits of a number: its absolute value, whether there is a minus, whether it fits. Limits apply by the caller. */
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

/* By insertion, so that equal elements stay in their order, as with glibc's. */
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

/* ---- <math.h> ------------------------------------------------------------------------------------------------------ */

REX_FN double rex_c_nexttoward(double x, double y) { return nextafter(x, y); }
REX_FN float rex_c_nexttowardf(float x, double y)
{
    const double wide = x;
    return wide == y ? static_cast<float>(y) : nextafterf(x, y > wide ? INFINITY : y < wide ? -INFINITY : NAN);
}
REX_FN int rex_c_gamma_sign(double x)
{
    return x < 0 ? (x != floor(x) && fmod(floor(x), 2.0) != 0 ? -1 : 1) : signbit(x) ? -1 : 1;
}
REX_FN double rex_c_lgamma_r(double x, int *sign)
{
    *sign = rex_c_gamma_sign(x);
    return lgamma(x);
}
REX_FN float rex_c_lgammaf_r(float x, int *sign)
{
    *sign = rex_c_gamma_sign(x);
    return lgammaf(x);
}
REX_FN int rex_c_finite(double x) { return isfinite(x); }
REX_FN int rex_c_finitef(float x) { return isfinite(x); }
REX_FN int rex_c_isinff(float x) { return isinf(x) ? (signbit(x) ? -1 : 1) : 0; }
REX_FN int rex_c_isnanf(float x) { return isnan(x); }
REX_FN double rex_c_drem(double x, double y) { return remainder(x, y); }
REX_FN float rex_c_dremf(float x, float y) { return remainderf(x, y); }
REX_FN double rex_c_gamma(double x) { return lgamma(x); }
REX_FN float rex_c_gammaf(float x) { return lgammaf(x); }
REX_FN double rex_c_significand(double x) { return x == 0 || !isfinite(x) ? x : scalbn(x, -ilogb(x)); }
REX_FN float rex_c_significandf(float x) { return x == 0 || !isfinite(x) ? x : scalbnf(x, -ilogbf(x)); }
REX_FN double rex_c_roundeven(double x) { return rint(x); }
REX_FN float rex_c_roundevenf(float x) { return rintf(x); }
REX_FN double rex_c_nextup(double x) { return nextafter(x, static_cast<double>(INFINITY)); }
REX_FN float rex_c_nextupf(float x) { return nextafterf(x, INFINITY); }
REX_FN double rex_c_nextdown(double x) { return nextafter(x, -static_cast<double>(INFINITY)); }
REX_FN float rex_c_nextdownf(float x) { return nextafterf(x, -INFINITY); }
REX_FN long rex_c_llogb(double x)
{
    return x == 0 ? -LONG_MAX - 1 : isnan(x) ? -LONG_MAX - 1 : isinf(x) ? LONG_MAX : ilogb(x);
}
REX_FN long rex_c_llogbf(float x) { return rex_c_llogb(x); }

/* CUDA's divide by the argument, so that they have no value where it is 0 or its inverse overflows. */
REX_FN double rex_c_jn(int n, double x)
{
    if (n < 0)
        return (n % 2 ? -1.0 : 1.0) * rex_c_jn(-n, x);
    return n < 2 || fabs(x) > 1e-6 ? jn(n, x) : pow(x / 2, n) / tgamma(n + 1.0);
}
REX_FN float rex_c_jnf(int n, float x) { return static_cast<float>(rex_c_jn(n, x)); }
REX_FN double rex_c_yn(int n, double x)
{
    return x == 0 ? (n < 0 && n % 2 ? INFINITY : -INFINITY) : yn(n, x);
}
REX_FN float rex_c_ynf(int n, float x) { return static_cast<float>(rex_c_yn(n, x)); }

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

/* What <math.h>'s classification macros have become in preprocessed C, where CUDA does not know it itself. */
#define __builtin_isnormal(x) (isfinite(x) && fabs(static_cast<double>(x)) >= rex_smallest_normal(x))
#define __builtin_isinf_sign(x) (isinf(x) ? (signbit(x) ? -1 : 1) : 0)
#define __builtin_signbitf(x) signbit(static_cast<float>(x))
#define __builtin_isunordered(x, y) (isnan(x) || isnan(y))
#define __builtin_isgreater(x, y) ((x) > (y))
#define __builtin_isgreaterequal(x, y) ((x) >= (y))
#define __builtin_isless(x, y) ((x) < (y))
#define __builtin_islessequal(x, y) ((x) <= (y))
#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)                                                \
    (isnan(x)                ? (nan)                                                                                   \
     : isinf(x)              ? (infinite)                                                                              \
     : (x) == 0              ? (zero)                                                                                  \
     : __builtin_isnormal(x) ? (normal)                                                                                \
                             : (subnormal))

REX_FN constexpr double rex_smallest_normal(float) { return 1.17549435082228750796873653722224568e-38; }
REX_FN constexpr double rex_smallest_normal(double) { return 2.22507385850720138309023271733240406e-308; }

/* ---- builtins ------------------------------------------------------------------------------------------------------ */

template <class T>
REX_FN bool rex_c_negative(T x)
{
    if constexpr (std::is_unsigned_v<T>)
        return false;
    else
        return x < 0;
}

template <class T>
REX_FN unsigned __int128 rex_c_magnitude(T x)
{
    return rex_c_negative(x) ? 0 - static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
}

/* Whether sign and magnitude, a result of infinite precision, do not fit *result, which gets what does. */
template <class T>
REX_FN bool rex_c_overflows(bool is_negative, unsigned __int128 magnitude, T *result)
{
    *result = static_cast<T>(is_negative ? 0 - magnitude : magnitude);
    return rex_c_negative(*result) != (is_negative && magnitude != 0) || rex_c_magnitude(*result) != magnitude;
}

template <class A, class B, class T>
REX_FN bool rex_c_mul_overflow(A a, B b, T *result)
{
    static_assert(sizeof(A) <= 8 && sizeof(B) <= 8, "operands of at most 64 bits");
    return rex_c_overflows(rex_c_negative(a) != rex_c_negative(b), rex_c_magnitude(a) * rex_c_magnitude(b), result);
}

template <class A, class B, class T>
REX_FN bool rex_c_add_overflow(A a, B b, T *result)
{
    static_assert(sizeof(A) <= 8 && sizeof(B) <= 8, "operands of at most 64 bits");
    const __int128 sum = static_cast<__int128>(a) + static_cast<__int128>(b);
    return rex_c_overflows(sum < 0, rex_c_magnitude(sum), result);
}

template <class A, class B, class T>
REX_FN bool rex_c_sub_overflow(A a, B b, T *result)
{
    static_assert(sizeof(A) <= 8 && sizeof(B) <= 8, "operands of at most 64 bits");
    const __int128 difference = static_cast<__int128>(a) - static_cast<__int128>(b);
    return rex_c_overflows(difference < 0, rex_c_magnitude(difference), result);
}

#define __builtin_add_overflow(a, b, result) rex_c_add_overflow(a, b, result)
#define __builtin_sub_overflow(a, b, result) rex_c_sub_overflow(a, b, result)
#define __builtin_mul_overflow(a, b, result) rex_c_mul_overflow(a, b, result)

/* The type of c is that of a result that nobody wants. */
template <class A, class B, class T>
REX_FN bool rex_c_add_overflow_p(A a, B b, T c)
{
    return rex_c_add_overflow(a, b, &c);
}
template <class A, class B, class T>
REX_FN bool rex_c_sub_overflow_p(A a, B b, T c)
{
    return rex_c_sub_overflow(a, b, &c);
}
template <class A, class B, class T>
REX_FN bool rex_c_mul_overflow_p(A a, B b, T c)
{
    return rex_c_mul_overflow(a, b, &c);
}

REX_FN int rex_c_clrsb(int x) { return __clz(x ^ (x >> 31)) - 1; }
REX_FN int rex_c_clrsbll(long long x) { return __clzll(x ^ (x >> 63)) - 1; }
REX_FN int rex_c_clrsbl(long x) { return rex_c_clrsbll(x); }
REX_FN unsigned __int128 rex_c_bswap128(unsigned __int128 x)
{
    unsigned __int128 swapped = 0;
    for (int i = 0; i < 16; ++i, x >>= 8)
        swapped = swapped << 8 | (x & 255);
    return swapped;
}

/* The order of multiplications is gcc's, so that the rounding is too. */
template <class T>
REX_FN T rex_c_power(T x, int n)
{
    unsigned rest = n < 0 ? 0u - n : n;
    T y = rest & 1 ? x : T(1);
    while (rest >>= 1) {
        x *= x;
        y = rest & 1 ? y * x : y;
    }
    return n < 0 ? 1 / y : y;
}
REX_FN double rex_c_powi(double x, int n) { return rex_c_power(x, n); }
REX_FN float rex_c_powif(float x, int n) { return rex_c_power(x, n); }

REX_FN int rex_c_iceil(double x) { return static_cast<int>(ceil(x)); }
REX_FN int rex_c_iceilf(float x) { return static_cast<int>(ceilf(x)); }
REX_FN int rex_c_ifloor(double x) { return static_cast<int>(floor(x)); }
REX_FN int rex_c_ifloorf(float x) { return static_cast<int>(floorf(x)); }
REX_FN int rex_c_irint(double x) { return static_cast<int>(rint(x)); }
REX_FN int rex_c_irintf(float x) { return static_cast<int>(rintf(x)); }
REX_FN int rex_c_iround(double x) { return static_cast<int>(round(x)); }
REX_FN int rex_c_iroundf(float x) { return static_cast<int>(roundf(x)); }
REX_FN long rex_c_lceil(double x) { return static_cast<long>(ceil(x)); }
REX_FN long rex_c_lceilf(float x) { return static_cast<long>(ceilf(x)); }
REX_FN long rex_c_lfloor(double x) { return static_cast<long>(floor(x)); }
REX_FN long rex_c_lfloorf(float x) { return static_cast<long>(floorf(x)); }
#define rex_c_llceil rex_c_lceil
#define rex_c_llceilf rex_c_lceilf
#define rex_c_llfloor rex_c_lfloor
#define rex_c_llfloorf rex_c_lfloorf

/* Every memory order is the strictest one. */
template <class T, class V>
REX_FN T rex_c_exchange(volatile T *x, V v)
{
    return rex_c_fenced([=] { return rex_atomic_exchange(const_cast<T *>(x), v); });
}

template <class T, class E, class D>
REX_FN T rex_c_swap_if(volatile T *x, E expected, D desired)
{
    const T from = static_cast<T>(expected), to = static_cast<T>(desired);
    return rex_c_fenced([=] { return rex_compare_and_swap(const_cast<T *>(x), from, to); });
}

template <class T, class E, class D>
REX_FN bool rex_c_swapped(volatile T *x, E expected, D desired)
{
    return rex_same_bits(rex_c_swap_if(x, expected, desired), static_cast<T>(expected));
}

REX_FN bool rex_c_is_lock_free(size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

struct rex_nand : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return ~(x & v);
    }
};

template <class T, class D>
REX_FN bool rex_c_compare_exchange(volatile T *x, T *expected, D desired)
{
    const T seen = rex_c_swap_if(x, *expected, desired);
    const bool is_same = rex_same_bits(seen, *expected);
    if (!is_same)
        *expected = seen;
    return is_same;
}

#define __atomic_fetch_add(x, v, order) rex_c_fetch_then<rex_add>(x, v)
#define __atomic_fetch_sub(x, v, order) rex_c_fetch_then<rex_sub>(x, v)
#define __atomic_fetch_and(x, v, order) rex_c_fetch_then<rex_band>(x, v)
#define __atomic_fetch_or(x, v, order) rex_c_fetch_then<rex_bor>(x, v)
#define __atomic_fetch_xor(x, v, order) rex_c_fetch_then<rex_bxor>(x, v)
#define __atomic_add_fetch(x, v, order) rex_c_then_fetch<rex_add>(x, v)
#define __atomic_sub_fetch(x, v, order) rex_c_then_fetch<rex_sub>(x, v)
#define __atomic_and_fetch(x, v, order) rex_c_then_fetch<rex_band>(x, v)
#define __atomic_or_fetch(x, v, order) rex_c_then_fetch<rex_bor>(x, v)
#define __atomic_xor_fetch(x, v, order) rex_c_then_fetch<rex_bxor>(x, v)
#define __atomic_fetch_nand(x, v, order) rex_c_fetch_then<rex_nand>(x, v)
#define __atomic_nand_fetch(x, v, order) rex_c_then_fetch<rex_nand>(x, v)
#define __sync_fetch_and_nand(x, v) rex_c_fetch_then<rex_nand>(x, v)
#define __sync_nand_and_fetch(x, v) rex_c_then_fetch<rex_nand>(x, v)
#define __atomic_load(x, out, order) (void)(*(out) = rex_c_load(x))
#define __atomic_store(x, v, order) (void)rex_c_store(x, *(v))
#define __atomic_exchange(x, v, out, order) (void)(*(out) = rex_c_exchange(x, *(v)))
#define __atomic_compare_exchange(x, expected, desired, weak, order, otherwise)                                        \
    rex_c_compare_exchange(x, expected, *(desired))
#define __atomic_test_and_set(x, order) (rex_c_exchange((unsigned char *)(x), 1) != 0)
#define __atomic_clear(x, order) (void)rex_c_store((unsigned char *)(x), 0)
#define __atomic_always_lock_free(size, x) rex_c_is_lock_free(size)
#define __atomic_is_lock_free(size, x) rex_c_is_lock_free(size)
#define __atomic_signal_fence(order) __threadfence()
#define __atomic_load_n(x, order) rex_c_load(x)
#define __atomic_store_n(x, v, order) (void)rex_c_store(x, v)
#define __atomic_exchange_n(x, v, order) rex_c_exchange(x, v)
#define __atomic_compare_exchange_n(x, expected, desired, weak, order, otherwise)                                      \
    rex_c_compare_exchange(x, expected, desired)
#define __atomic_thread_fence(order) __threadfence()
#define __sync_fetch_and_add(x, v) rex_c_fetch_then<rex_add>(x, v)
#define __sync_fetch_and_sub(x, v) rex_c_fetch_then<rex_sub>(x, v)
#define __sync_fetch_and_and(x, v) rex_c_fetch_then<rex_band>(x, v)
#define __sync_fetch_and_or(x, v) rex_c_fetch_then<rex_bor>(x, v)
#define __sync_fetch_and_xor(x, v) rex_c_fetch_then<rex_bxor>(x, v)
#define __sync_add_and_fetch(x, v) rex_c_then_fetch<rex_add>(x, v)
#define __sync_sub_and_fetch(x, v) rex_c_then_fetch<rex_sub>(x, v)
#define __sync_and_and_fetch(x, v) rex_c_then_fetch<rex_band>(x, v)
#define __sync_or_and_fetch(x, v) rex_c_then_fetch<rex_bor>(x, v)
#define __sync_xor_and_fetch(x, v) rex_c_then_fetch<rex_bxor>(x, v)
#define __sync_val_compare_and_swap(x, expected, desired) rex_c_swap_if(x, expected, desired)
#define __sync_bool_compare_and_swap(x, expected, desired) rex_c_swapped(x, expected, desired)
#define __sync_lock_test_and_set(x, v) rex_c_exchange(x, v)
#define __sync_lock_release(x) (void)rex_c_store(x, 0)
#define __sync_synchronize() __threadfence()
