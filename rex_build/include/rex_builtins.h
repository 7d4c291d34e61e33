/* Builtins of clang for both devices; gcc 13 and 14 have some of them too. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

template <class T>
REX_FN T rex_rotated(T x, unsigned left)
{
    constexpr unsigned bits = sizeof(T) * 8;
    left %= bits;
    return static_cast<T>(x << left | x >> (bits - left) % bits);
}

#define REX_BITS_BUILTINS(bits, T)                                                                                     \
    REX_FN T rex_c_bitreverse##bits(T x) { return rex_bit_reversed(x); }                                                   \
    REX_FN T rex_c_rotateleft##bits(T x, T n) { return rex_rotated(x, static_cast<unsigned>(n % bits)); }              \
    REX_FN T rex_c_rotateright##bits(T x, T n) { return rex_rotated(x, bits - static_cast<unsigned>(n % bits)); }
REX_BITS_BUILTINS(8, unsigned char)
REX_BITS_BUILTINS(16, unsigned short)
REX_BITS_BUILTINS(32, unsigned int)
REX_BITS_BUILTINS(64, unsigned long)

/* a + b and a - b for one word of several, with a carry in and a carry out. */
#define REX_CARRY_BUILTINS(suffix, T)                                                                                  \
    REX_FN T rex_c_addc##suffix(T a, T b, T carry, T *out)                                                             \
    {                                                                                                                  \
        const T sum = static_cast<T>(a + b), all = static_cast<T>(sum + carry);                                        \
        *out = sum < a || all < sum;                                                                                   \
        return all;                                                                                                    \
    }                                                                                                                  \
    REX_FN T rex_c_subc##suffix(T a, T b, T borrow, T *out)                                                            \
    {                                                                                                                  \
        const T rest = static_cast<T>(a - b), all = static_cast<T>(rest - borrow);                                     \
        *out = a < b || rest < borrow;                                                                                 \
        return all;                                                                                                    \
    }
REX_CARRY_BUILTINS(b, unsigned char)
REX_CARRY_BUILTINS(s, unsigned short)
REX_CARRY_BUILTINS(, unsigned int)
REX_CARRY_BUILTINS(l, unsigned long)
REX_CARRY_BUILTINS(ll, unsigned long long)

/* The number of ones in an unsigned integer of any size, and the number of zeros behind and before them. For 0, the latter
 * two give `of_zero`. */
template <class T>
REX_FN int rex_c_popcountg(T x)
{
    int bits = 0;
    for (; x; x = static_cast<T>(x & (x - 1)))
        ++bits;
    return bits;
}
template <class T>
REX_FN int rex_c_ctzg(T x, int of_zero = sizeof(T) * 8)
{
    return x ? rex_c_popcountg(static_cast<T>((x & (0 - x)) - 1)) : of_zero;
}
template <class T>
REX_FN int rex_c_clzg(T x, int of_zero = sizeof(T) * 8)
{
    int zeros = sizeof(T) * 8;
    for (T rest = x; rest; rest = static_cast<T>(rest >> 1))
        --zeros;
    return x ? zeros : of_zero;
}

/* Rounds addresses and integers to multiples of a power of two. */
template <class T>
REX_FN bool rex_c_is_aligned(T x, unsigned long long alignment)
{
    return ((unsigned long long)x & (alignment - 1)) == 0;
}
template <class T>
REX_FN T rex_c_align_down(T x, unsigned long long alignment)
{
    return (T)((unsigned long long)x & ~(alignment - 1));
}
template <class T>
REX_FN T rex_c_align_up(T x, unsigned long long alignment)
{
    return (T)(((unsigned long long)x + alignment - 1) & ~(alignment - 1));
}

template <class T>
REX_FN int rex_c_iszero(T x)
{
    return x == 0;
}
template <class T>
REX_FN int rex_c_issubnormal(T x)
{
    return x != 0 && fabs(x) < (sizeof(T) == sizeof(float) ? FLT_MIN : DBL_MIN);
}
