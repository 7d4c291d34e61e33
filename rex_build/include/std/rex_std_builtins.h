/* gcc's builtins that libstdc++ uses and that nvcc takes for functions of the host: nvcc drops such calls in headers of the
 * system without a word, and even a whole call of a constexpr function with one, such as std::advance. So these are macros.
 * This comes before all other text of libstdc++.
 */
#if defined(__CUDACC__) && !defined(REX_STD_BUILTINS)
#define REX_STD_BUILTINS
#include "../rex_bytes.h"
#define REX_STD_FN REX_BYTES_FN

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

[[noreturn]] REX_STD_FN void rex_std_trap()
{
#ifdef __CUDA_ARCH__
    asm volatile("trap;");
#endif
    __builtin_unreachable();
}

REX_STD_FN constexpr unsigned long long rex_std_swapped(unsigned long long value, int bytes)
{
    unsigned long long swapped = 0;
    for (; bytes > 0; --bytes, value >>= 8)
        swapped = swapped << 8 | (value & 255);
    return swapped;
}

#define __builtin_memmove(to, from, bytes) rex_std_memmove(to, from, bytes)
#define __builtin_memcmp(left, right, bytes) rex_bytes_memcmp(left, right, bytes)
#define __builtin_memchr(text, wanted, bytes) rex_bytes_memchr(text, wanted, bytes)
#define __builtin_strlen(text) rex_bytes_strlen(text)
#define __builtin_ctz(value) __builtin_popcount(((value) & -(value)) - 1)
#define __builtin_ctzl(value) __builtin_popcountll(((value) & -(value)) - 1)
#define __builtin_ctzll(value) __builtin_popcountll(((value) & -(value)) - 1)
#define __builtin_clzl(value) __builtin_clzll(value)
#define __builtin_popcountl(value) __builtin_popcountll(value)
#define __builtin_bswap16(value) static_cast<unsigned short>(rex_std_swapped(value, 2))
#define __builtin_bswap32(value) static_cast<unsigned int>(rex_std_swapped(value, 4))
#define __builtin_bswap64(value) rex_std_swapped(value, 8)
#define __builtin_constant_p(value) __builtin_is_constant_evaluated()
/* Devices compute with long double as with double. */
#define __builtin_logl(x) __builtin_log(static_cast<double>(x))
#define __builtin_sqrtl(x) __builtin_sqrt(static_cast<double>(x))
#define __builtin_floorl(x) __builtin_floor(static_cast<double>(x))
#define __builtin_modff(x, whole) ::modff(x, whole)
#define __builtin_remquof(x, y, quotient) ::remquof(x, y, quotient)
#define __builtin_frexpf(x, exponent) ::frexpf(x, exponent)
#define __builtin_expect(value, expected) (value)
#define __builtin_expect_with_probability(value, expected, probability) (value)
#define __builtin_abort() rex_std_trap()
#define __builtin_trap() rex_std_trap()
#define __builtin_isunordered(x, y) ((x) != (x) || (y) != (y))
#define __builtin_isgreater(x, y) ((x) > (y))
#define __builtin_isgreaterequal(x, y) ((x) >= (y))
#define __builtin_isless(x, y) ((x) < (y))
#define __builtin_islessequal(x, y) ((x) <= (y))
#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define __builtin_isinf_sign(x) (__builtin_isinf(x) ? (__builtin_signbit(x) ? -1 : 1) : 0)
#define __builtin_isnormal(x)                                                                                          \
    (__builtin_isfinite(x) && __builtin_fabs(x) >= (sizeof(x) == sizeof(float) ? 0x1p-126 : 0x1p-1022))
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)                                                \
    (__builtin_isnan(x)      ? (nan)                                                                                   \
     : __builtin_isinf(x)    ? (infinite)                                                                              \
     : (x) == 0              ? (zero)                                                                                  \
     : __builtin_isnormal(x) ? (normal)                                                                                \
                             : (subnormal))
#endif
