/* Atomic updates, C11's atomic objects, and gcc's atomic builtins. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

REX_FN void rex_fence()
{
    REX_CHECK_FENCED();
    __threadfence();
}

/* The place of an atomic access that is not relaxed. It lives until the access is made, which fences are around. */
template <class T, bool Reads, bool Writes>
struct rex_ordered_place {
    T *const place;
    __device__ explicit rex_ordered_place(T *x) : place(x)
    {
        if constexpr (Writes)
            REX_CHECK_HANDS_ON(x);
        __threadfence();
    }
    __device__ ~rex_ordered_place()
    {
        __threadfence();
        if constexpr (Reads)
            REX_CHECK_GETS_TO_KNOW(place);
    }
    rex_ordered_place(const rex_ordered_place &) = delete;
};
template <class T>
REX_FN rex_ordered_place<T, true, false> rex_ordered_read(T *x)
{
    return rex_ordered_place<T, true, false>(x);
}
template <class T>
REX_FN rex_ordered_place<T, false, true> rex_ordered_write(T *x)
{
    return rex_ordered_place<T, false, true>(x);
}
template <class T>
REX_FN rex_ordered_place<T, true, true> rex_ordered_update(T *x)
{
    return rex_ordered_place<T, true, true>(x);
}

/* Atomic structures, unions and complex numbers are read and written as a word of their size. */
template <class T>
constexpr bool rex_is_aggregate = __is_class(T) || __is_union(T) || rex_is_complex<T>;
template <class T>
using rex_word_of_size = rex_conditional<sizeof(T) == 1, unsigned char,
    rex_conditional<sizeof(T) == 2, unsigned short, rex_unsigned_word<T>>>;

/* Guards objects for which no atomic operation is wide enough. */
[[maybe_unused]] REX_STATE __device__ unsigned int rex_wide_lock;
REX_FN void rex_acquire(unsigned int *lock, bool of_all_teams);
REX_FN void rex_release(unsigned int *lock);

template <class T>
struct rex_transition {
    T before, after;
};

template <class T>
constexpr bool rex_is_locked = sizeof(T) > 8 && !rex_is_aggregate<T>;

template <class T, class Change>
REX_FN rex_transition<T> rex_locked_change(T *x, Change change)
{
    rex_acquire(&rex_wide_lock, true);
    __threadfence();
    const T before = *x;
    const T after = change(before);
    *x = after;
    __threadfence();
    rex_release(&rex_wide_lock);
    return {before, after};
}

template <class T>
REX_FN T rex_atomic_read(const volatile T *x)
{
    if constexpr (rex_is_locked<T>)
        return rex_locked_change(const_cast<T *>(x), [](T value) { return value; }).before;
    else if constexpr (rex_is_aggregate<T>)
        return rex_from_bits<T>(*reinterpret_cast<const volatile rex_word_of_size<T> *>(x));
    else
        return *x;
}

template <class T, class V>
REX_FN void rex_atomic_write(volatile T *x, V v)
{
    if constexpr (rex_is_locked<T>) {
        rex_locked_change(const_cast<T *>(x), [=](T) { return static_cast<T>(v); });
    } else if constexpr (rex_is_aggregate<T>) {
        using Word = rex_word_of_size<T>;
        *reinterpret_cast<volatile Word *>(x) = rex_bits<Word>(static_cast<T>(v));
    } else
        *x = static_cast<T>(v);
}

template <class T>
REX_FN bool rex_same_bits(T a, T b)
{
    return rex_bits<rex_unsigned_word<T>>(a) == rex_bits<rex_unsigned_word<T>>(b);
}

/* A scalar of one byte is replaced within the aligned 2-byte word that holds it. */
template <class T>
REX_FN T rex_hardware_compare_and_swap(T *x, T expected, T desired)
{
#ifdef REX_DEVICE_CHECK /* bytes beside it are not touched */
    using Word = rex_word_of_size<T>;
    constexpr bool is_whole = true;
#else
    using Word = rex_conditional<sizeof(T) < 4, unsigned short, rex_unsigned_word<T>>;
    constexpr bool is_whole = sizeof(T) > 1;
#endif
    const Word from = rex_bits<Word>(expected), to = rex_bits<Word>(desired);
    if constexpr (is_whole) {
        return rex_from_bits<T>(atomicCAS(reinterpret_cast<Word *>(x), from, to));
    } else {
        const uintptr_t address = reinterpret_cast<uintptr_t>(x);
        Word *const word = reinterpret_cast<Word *>(address & ~uintptr_t(1));
        const unsigned int shift = static_cast<unsigned int>(address & 1) * 8, mask = 0xffu << shift;
        Word seen = rex_atomic_read(word);
        for (;;) {
            if ((seen & mask) >> shift != from)
                return rex_from_bits<T>(static_cast<unsigned char>((seen & mask) >> shift));
            const Word before = atomicCAS(word, seen, static_cast<Word>((seen & ~mask) | to << shift));
            if (before == seen)
                return expected;
            seen = before;
        }
    }
}

/* Gives a pointer that all threads of a kernel share the value that only the launch knows. The first thread stores it.
 * Before that, the pointer holds rex_unset_pointer of rex_kmp.h. */
template <class P, class V>
REX_FN void rex_share_pointer(P *shared, V value)
{
    using Word = unsigned long long;
    Word *const word = (Word *)shared; /* a C cast removes any qualifiers */
    const Word unset = 0x7265782d756e7365;
    if (*(volatile Word *)word == unset)
        atomicCAS(word, unset, reinterpret_cast<Word>(value));
}

/* If *x has the bits of `expected`, stores `desired`; returns the old value. */
template <class T>
REX_FN T rex_compare_and_swap(T *x, T expected, T desired)
{
    return rex_atomically(
        x, [=](T *target) { return rex_hardware_compare_and_swap(target, expected, desired); },
        [=](T *target) {
            const T old = *target;
            if (rex_same_bits(old, expected))
                *target = desired;
            return old;
        });
}

/* What updates of one type have in common if their order does not matter, or 0: the operation, done in that type. */
template <class Op, class T, class V>
constexpr unsigned int rex_any_order =
    (rex_is_integral<T> && (rex_is_integral<V> || __is_enum(V)) && !rex_is_same<T, bool>) || rex_is_same<rex_remove_cv<T>, rex_remove_cv<V>>
        || (rex_is_real<T> && rex_is_integral<V>) || (rex_is_same<T, double> && rex_is_same<V, float>)
    ? Op::any_order * 64 + 2 * (sizeof(T) & 31) + rex_is_integral<T>
    : 0;

/* x = x op v for any operator and types. */
template <class Op, class T, class V>
REX_FN rex_transition<T> rex_atomic_transition(T *x, V v)
{
    REX_CHECK_UPDATES(x, (rex_any_order<Op, T, V>));
    if constexpr (rex_is_locked<T>)
        return rex_locked_change(x, [=](T old) { return static_cast<T>(Op::apply(old, v)); });
    else
        for (T old = rex_atomic_read(x);;) {
            const T next = static_cast<T>(Op::apply(old, v));
            const T seen = rex_compare_and_swap(x, old, next);
            if (rex_same_bits(seen, old))
                return {old, next};
            old = seen;
        }
}

/* Whether `x op v`, converted back to T, equals the same operation in T on v converted to T. */
template <class Op, class T, class V>
REX_FN bool rex_narrows_exactly(V v)
{
    constexpr bool is_ordering = rex_is_same<Op, rex_min> || rex_is_same<Op, rex_max>;
    if constexpr (rex_is_integral<T> && rex_is_integral<V> && !is_ordering)
        return true; /* these operators commute with reduction modulo 2^n */
    else if constexpr (!rex_is_arithmetic<V>)
        return false;
    else if constexpr (rex_is_same<rex_common<T, V>, T>)
        return true;
    else if constexpr (rex_is_same<T, float> && rex_is_same<V, double>)
        return v == static_cast<double>(static_cast<float>(v)); /* rounding to double first does no harm then */
    else
        return false;
}

/* x = x op v; returns the old value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update(T *x, V v)
{
    REX_CHECK_UPDATES(x, (rex_any_order<Op, T, V>));
    if constexpr (sizeof(T) > 8 || rex_is_complex<T>)
        return rex_locked_change(x, [=](T old) { return static_cast<T>(Op::apply(old, v)); }).before;
    else if constexpr (Op::template native<T>)
        if (rex_narrows_exactly<Op, T>(v))
            return rex_atomically(
                x, [=](T *target) { return Op::fetch(target, static_cast<T>(v)); },
                [=](T *target) {
                    const T old = *target;
                    *target = static_cast<T>(Op::apply(old, v));
                    return old;
                });
    if constexpr (sizeof(T) <= 8 && !rex_is_complex<T>)
        return rex_atomic_transition<Op>(x, v).before;
}

/* x = x op v; returns the new value. Only for integers is it computed again from the old value: a compiler may contract a
 * floating-point operation with a neighbouring one, which gives another result. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_new(T *x, V v)
{
    if constexpr (Op::template native<T> && rex_is_integral<T>)
        return static_cast<T>(Op::apply(rex_atomic_update<Op>(x, v), v));
    else
        return rex_atomic_transition<Op>(x, v).after;
}

/* x = v op x; returns the old value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_reversed(T *x, V v)
{
    return rex_atomic_update<rex_conditional<Op::commutative, Op, rex_reversed<Op>>>(x, v);
}

/* x = v op x; returns the new value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_reversed_new(T *x, V v)
{
    return rex_atomic_update_new<rex_conditional<Op::commutative, Op, rex_reversed<Op>>>(x, v);
}

template <class T, class V>
REX_FN T rex_atomic_exchange(T *x, V v)
{
    const T desired = static_cast<T>(v);
    if constexpr (rex_is_locked<T>) {
        return rex_locked_change(x, [=](T) { return desired; }).before;
    } else if constexpr (sizeof(T) >= 4) {
        using Word = rex_unsigned_word<T>;
        return rex_atomically(
            x,
            [=](T *target) {
                return rex_from_bits<T>(atomicExch(reinterpret_cast<Word *>(target), rex_bits<Word>(desired)));
            },
            [=](T *target) {
                const T old = *target;
                *target = desired;
                return old;
            });
    } else {
        T old = rex_atomic_read(x);
        for (T seen; !rex_same_bits(seen = rex_compare_and_swap(x, old, desired), old);)
            old = seen;
        return old;
    }
}

/* C11 atomic objects, and gcc's builtins. Every memory order is treated as the strictest one. */
template <class Op, class T, class V>
REX_FN T rex_c_fetch_then(volatile T *x, V v)
{
    const auto ordered = rex_ordered_update(x);
    if constexpr (rex_is_complex<T>)
        return rex_atomic_transition<Op>(const_cast<T *>(x), v).before;
    else
        return rex_atomic_update<Op>(const_cast<T *>(x), v);
}

template <class Op, class T, class V>
REX_FN T rex_c_then_fetch(volatile T *x, V v)
{
    const auto ordered = rex_ordered_update(x);
    return rex_atomic_update_new<Op>(const_cast<T *>(x), v);
}

template <class T>
REX_FN T rex_c_load(const volatile T *x)
{
    return rex_atomic_read(rex_ordered_read(x).place);
}

template <class T, class V>
REX_FN T rex_c_store(volatile T *x, V v)
{
    const T value = static_cast<T>(v);
    rex_atomic_write(rex_ordered_write(x).place, value);
    return value;
}

template <class T>
struct rex_comparison {
    T before, after;
    bool equal;
};

template <class T>
constexpr bool rex_is_pointer = false;
template <class T>
constexpr bool rex_is_pointer<T *> = true;

/* a == b as C compares them. */
template <class A, class B>
REX_FN bool rex_equal(A a, B b)
{
    if constexpr (rex_is_arithmetic<A> && rex_is_arithmetic<B>) {
        using Common = decltype(a + b);
        return static_cast<Common>(a) == static_cast<Common>(b);
    } else if constexpr (rex_is_pointer<A> != rex_is_pointer<B>) {
        return (size_t)a == (size_t)b;
    } else {
        return a == b;
    }
}

/* if (*x == expected) *x = desired */
template <class T, class E, class D>
REX_FN rex_comparison<T> rex_atomic_compare(T *x, E expected, D desired)
{
    if constexpr (rex_is_locked<T>) {
        bool equal = false;
        const auto [before, after] = rex_locked_change(
            x, [&](T old) { return (equal = rex_equal(old, expected)) ? static_cast<T>(desired) : old; });
        return {before, after, equal};
    } else {
        T old = rex_atomic_read(x);
        while (rex_equal(old, expected)) {
            const T seen = rex_compare_and_swap(x, old, static_cast<T>(desired));
            if (rex_same_bits(seen, old))
                return {old, static_cast<T>(desired), true};
            old = seen;
        }
        return {old, old, false};
    }
}
