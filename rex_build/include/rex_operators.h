/* Operators of updates and reductions. Included by xomp_cuda_lib_inlined.cu.
 *
 * apply(x, v) is `x op v` with C's arithmetic conversions. If native<T> is true, there is fetch(x, v), a hardware atomic
 * on a T that returns the old value. Operators of reductions have identity<T>(), the first value of private copies.
 * Reductions with `-` combine with rex_add. Updates of one number by operators with the same any_order, other than 0, may be
 * made in any order.
 */
#pragma once

template <class T>
constexpr bool rex_is_word = rex_is_integral<T> && sizeof(T) >= 4;
template <class T>
constexpr bool rex_is_real = rex_is_same<T, float> || rex_is_same<T, double>;

/* The type that CUDA's integer atomics have for a T of 4 or 8 bytes. */
template <class T>
using rex_unsigned_word = rex_conditional<sizeof(T) == 8, unsigned long long, unsigned int>;
template <class T>
using rex_signed_word = rex_conditional<sizeof(T) == 8, long long, int>;

template <class Word, class T>
REX_FN Word rex_bits(T value)
{
    static_assert(sizeof(T) <= sizeof(Word) && __is_trivially_copyable(T), "a scalar that fits the word");
    Word bits = {};
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <class T, class Word>
REX_FN T rex_from_bits(Word bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The type in which sums, differences, products and shifts of signed integers are computed. Overflow is defined in it, and
 * gives the bits that -fwrapv requires and that CUDA's atomics give. */
template <class T, class V>
REX_FN auto rex_modularly(V value)
{
    if constexpr (rex_is_integral<T> && rex_is_signed<T>)
        return static_cast<rex_make_unsigned<T>>(value);
    else
        return value;
}

template <bool IsCommutative>
struct rex_operator {
    static constexpr bool commutative = IsCommutative;
    static constexpr unsigned int any_order = 0;
    template <class T>
    static constexpr bool native = false;
};

template <int Identity>
struct rex_combiner : rex_operator<true> {
    template <class T>
    REX_FN T identity()
    {
        if constexpr (rex_is_complex<T>)
            return rex_complex<typename rex_complex_type<T>::real>(Identity);
        else
            return T(Identity);
    }
};

struct rex_add : rex_combiner<0> {
    static constexpr unsigned int any_order = 1;
    template <class T>
    static constexpr bool native = rex_is_word<T> || rex_is_real<T>;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        if constexpr (rex_is_complex<X>)
            return rex_complex_add(x, v);
        else
            return static_cast<decltype(x + v)>(rex_modularly<decltype(x + v)>(x) + rex_modularly<decltype(x + v)>(v));
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        if constexpr (rex_is_real<T>)
            return atomicAdd(x, v);
        else
            return atomicAdd(reinterpret_cast<rex_unsigned_word<T> *>(x), static_cast<rex_unsigned_word<T>>(v));
    }
};

struct rex_sub : rex_operator<false> {
    static constexpr unsigned int any_order = 1;
    template <class T>
    static constexpr bool native = rex_add::native<T>;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        if constexpr (rex_is_complex<X>)
            return rex_complex_sub(x, v);
        else
            return static_cast<decltype(x - v)>(rex_modularly<decltype(x - v)>(x) - rex_modularly<decltype(x - v)>(v));
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        if constexpr (rex_is_real<T>)
            return atomicAdd(x, -v);
        else
            return atomicAdd(reinterpret_cast<rex_unsigned_word<T> *>(x), 0 - static_cast<rex_unsigned_word<T>>(v));
    }
};

struct rex_mul : rex_combiner<1> {
    static constexpr unsigned int any_order = 2;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        if constexpr (rex_is_complex<X>)
            return rex_complex_mul(x, v);
        else
            return static_cast<decltype(x * v)>(rex_modularly<decltype(x * v)>(x) * rex_modularly<decltype(x * v)>(v));
    }
};

struct rex_div : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        if constexpr (rex_is_complex<X>)
            return rex_complex_div(x, v);
        else
            return x / v;
    }
};

struct rex_mod : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return x % v;
    }
};

struct rex_shl : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return static_cast<decltype(x << v)>(rex_modularly<decltype(x << v)>(x) << v);
    }
};

struct rex_shr : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return x >> v;
    }
};

template <class T>
REX_FN bool rex_holds(T x)
{
    if constexpr (rex_is_complex<T>)
        return rex_complex_true(x);
    else
        return x != T(0);
}

/* The result of a logical operation in the type of the value that it is combined with. */
template <class T>
REX_FN auto rex_truth(bool holds)
{
    if constexpr (rex_is_complex<T>)
        return rex_complex<typename rex_complex_type<T>::real>(holds);
    else
        return static_cast<int>(holds);
}

struct rex_land : rex_combiner<1> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return rex_truth<X>(rex_holds(x) && rex_holds(v));
    }
};

struct rex_lor : rex_combiner<0> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return rex_truth<X>(rex_holds(x) || rex_holds(v));
    }
};

/* Operators on bits, with the hardware's atomic operations. */
#define REX_BITWISE(name, identity, order, op, atomic)                                                                 \
    struct name : rex_combiner<identity> {                                                                             \
        static constexpr unsigned int any_order = order;                                                               \
        template <class T>                                                                                             \
        static constexpr bool native = rex_is_word<T>;                                                                 \
        template <class X, class V>                                                                                    \
        REX_FN auto apply(X x, V v)                                                                                    \
        {                                                                                                              \
            return x op v;                                                                                             \
        }                                                                                                              \
        template <class T>                                                                                             \
        REX_FN T fetch(T *x, T v)                                                                                      \
        {                                                                                                              \
            return atomic(reinterpret_cast<rex_unsigned_word<T> *>(x), static_cast<rex_unsigned_word<T>>(v));          \
        }                                                                                                              \
    };
REX_BITWISE(rex_band, -1, 3, &, atomicAnd)
REX_BITWISE(rex_bor, 0, 4, |, atomicOr)
REX_BITWISE(rex_bxor, 0, 5, ^, atomicXor)
#undef REX_BITWISE

template <class T>
inline constexpr T rex_largest = rex_limit<T>(true);
template <class T>
inline constexpr T rex_smallest = rex_limit<T>(false);
template <>
inline constexpr rex_half rex_largest<rex_half> = rex_half::of(0x7c00);
template <>
inline constexpr rex_half rex_smallest<rex_half> = rex_half::of(0xfc00);
template <>
inline constexpr rex_bfloat rex_largest<rex_bfloat> = rex_bfloat::of(0x7f80);
template <>
inline constexpr rex_bfloat rex_smallest<rex_bfloat> = rex_bfloat::of(0xff80);

/* Compares in the operands' common type and keeps x if v is a NaN, as OpenMP's combiners do. The hardware has atomics only
 * for integers. The bits of two floating-point numbers are ordered like signed integers if one of them is not negative,
 * and in the opposite order of unsigned integers if one is negative. */
template <bool IsMaximum>
struct rex_extremum : rex_operator<true> {
    template <class T>
    static constexpr bool native = rex_is_word<T> || rex_is_real<T>;
    template <class T>
    REX_FN T identity()
    {
        return IsMaximum ? rex_smallest<T> : rex_largest<T>;
    }
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        const auto a = static_cast<rex_common<X, V>>(x), b = static_cast<rex_common<X, V>>(v);
        return (IsMaximum ? b > a : b < a) ? b : a;
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        using Signed = rex_signed_word<T>;
        using Unsigned = rex_unsigned_word<T>;
        if constexpr (rex_is_real<T>) {
            if (v != v)
                return *const_cast<volatile T *>(x);
            const Signed bits = rex_bits<Signed>(v);
            if (bits >= 0)
                return rex_from_bits<T>(fetch_word<IsMaximum>(reinterpret_cast<Signed *>(x), bits));
            return rex_from_bits<T>(
                fetch_word<!IsMaximum>(reinterpret_cast<Unsigned *>(x), static_cast<Unsigned>(bits)));
        } else {
            using Word = rex_conditional<rex_is_signed<T>, Signed, Unsigned>;
            return fetch_word<IsMaximum>(reinterpret_cast<Word *>(x), static_cast<Word>(v));
        }
    }

  private:
    template <bool Larger, class Word>
    REX_FN Word fetch_word(Word *x, Word v)
    {
        return Larger ? atomicMax(x, v) : atomicMin(x, v);
    }
};

using rex_min = rex_extremum<false>;
using rex_max = rex_extremum<true>;

/* x = v op x */
template <class Op>
struct rex_reversed : rex_operator<false> {
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return Op::apply(v, x);
    }
};

/* x = x op v if -fwrapv makes overflow wrap around. These return the new value, or the old one. */
template <class Op, class T, class V>
REX_FN auto rex_wrapped(T &x, V v)
{
    const auto next = static_cast<rex_remove_cv<T>>(Op::apply(static_cast<rex_remove_cv<T>>(x), v));
    x = next;
    return next;
}
template <class Op, class T, class V>
REX_FN auto rex_wrapped_after(T &x, V v)
{
    const rex_remove_cv<T> old = x;
    x = static_cast<rex_remove_cv<T>>(Op::apply(old, v));
    return old;
}
template <class T>
REX_FN T rex_wrapped_abs(T x)
{
    return x < 0 ? static_cast<T>(0 - rex_modularly<T>(x)) : x;
}

template <class Op, class T>
REX_FN T rex_identity()
{
    return Op::template identity<T>();
}
