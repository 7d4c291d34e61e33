#pragma GCC system_header
#include_next <bits/c++config.h>
#if defined(__CUDACC__) && !defined(REX_STD_BUILTINS)
#define REX_STD_BUILTINS
/* libstdc++ calls these builtins, for example in std::copy. nvcc takes them for functions of the host, and drops such calls
 * in headers of the system without a word. This header comes first in all headers of libstdc++. */
#define REX_STD_FN __attribute__((host)) __attribute__((device)) inline

/* The bytes of a value, with its alignment: nvcc copies them as words. */
template <class T>
struct rex_std_bytes {
    alignas(T) unsigned char value[sizeof(T)];
};
template <class T, class U>
REX_STD_FN void rex_std_copy(T *to, const U *from)
{
    *reinterpret_cast<rex_std_bytes<T> *>(to) = *reinterpret_cast<const rex_std_bytes<T> *>(from);
}

template <class T, class U>
REX_STD_FN T *rex_std_memmove(T *to, const U *from, std::size_t bytes)
{
    static_assert(sizeof(T) == sizeof(U), "values of one type are moved");
    const std::size_t count = bytes / sizeof(T);
    if (to < (T *)from)
        for (std::size_t i = 0; i < count; ++i)
            rex_std_copy(to + i, from + i);
    else
        for (std::size_t i = count; i > 0; --i)
            rex_std_copy(to + (i - 1), from + (i - 1));
    return to;
}
REX_STD_FN void *rex_std_memmove(void *to, const void *from, std::size_t bytes)
{
    return rex_std_memmove(static_cast<char *>(to), static_cast<const char *>(from), bytes);
}

REX_STD_FN int rex_std_memcmp(const void *left, const void *right, std::size_t bytes)
{
    const unsigned char *p = static_cast<const unsigned char *>(left), *q = static_cast<const unsigned char *>(right);
    for (; bytes > 0; ++p, ++q, --bytes)
        if (*p != *q)
            return *p - *q;
    return 0;
}

REX_STD_FN void *rex_std_memchr(const void *text, int wanted, std::size_t bytes)
{
    const unsigned char *p = static_cast<const unsigned char *>(text);
    for (; bytes > 0; ++p, --bytes)
        if (*p == static_cast<unsigned char>(wanted))
            return const_cast<unsigned char *>(p);
    return nullptr;
}

REX_STD_FN constexpr int rex_std_ctz(unsigned long long value)
{
    return __builtin_popcountll((value & -value) - 1);
}

#define __builtin_memmove(to, from, bytes) rex_std_memmove(to, from, bytes)
#define __builtin_memcmp(left, right, bytes) rex_std_memcmp(left, right, bytes)
#define __builtin_memchr(text, wanted, bytes) rex_std_memchr(text, wanted, bytes)
#define __builtin_ctz(value) rex_std_ctz(value)
#define __builtin_ctzl(value) rex_std_ctz(value)
#define __builtin_ctzll(value) rex_std_ctz(value)
#endif
