/* gcc's builtins, including those for atomic operations. Included by rex_libc.h. */
#pragma once

template <class T>
REX_FN bool rex_c_negative(T x)
{
    if constexpr (rex_is_unsigned<T>)
        return false;
    else
        return x < 0;
}

template <class T>
REX_FN unsigned __int128 rex_c_magnitude(T x)
{
    return rex_c_negative(x) ? 0 - static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
}

/* Stores the exact result with this sign and magnitude in *result. Returns whether it does not fit there. */
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

/* Only the type of c matters: it is the type of a result that is not stored. */
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

/* Multiplies in gcc's order, so that results are rounded in the same way. */
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

/* Every memory order is treated as the strictest one. */
template <class T, class V>
REX_FN T rex_c_exchange(volatile T *x, V v)
{
    const auto ordered = rex_ordered_update(x);
    return rex_atomic_exchange(const_cast<T *>(x), v);
}

template <class T, class E, class D>
REX_FN T rex_c_swap_if(volatile T *x, E expected, D desired)
{
    const T from = static_cast<T>(expected), to = static_cast<T>(desired);
    const auto ordered = rex_ordered_update(x);
    return rex_compare_and_swap(const_cast<T *>(x), from, to);
}

template <class T, class E, class D>
REX_FN bool rex_c_swapped(volatile T *x, E expected, D desired)
{
    return rex_same_bits(rex_c_swap_if(x, expected, desired), static_cast<T>(expected));
}

REX_FN constexpr bool rex_c_is_lock_free(size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

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
#define __atomic_thread_fence(order) rex_fence()
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
#define __sync_synchronize() rex_fence()
