/* Features of C that C++ lacks: arrays of variable length, objects out of alignment or without a size, volatile complex
 * numbers, clean-ups and case ranges. Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

/* An array of variable length, or a variable too large for shared memory. It is on the device's heap until its block
 * ends. `alignment` is in bytes, a power of two. */
template <class T>
struct rex_local_array {
    size_t size; /* in bytes */
    void *memory;
    T *elements;
    __device__ explicit rex_local_array(long count, size_t alignment = alignof(T)) : size(count * sizeof(T))
    {
        const size_t more = alignment > 16 ? alignment - 1 : 0; /* malloc aligns to 16 bytes */
        memory = size > 0 ? malloc(size + more) : nullptr;
        if (!memory && size > 0)
            rex_error(true, "the device's heap is full: LIBOMPTARGET_HEAP_SIZE sets its size in bytes");
        elements = reinterpret_cast<T *>((reinterpret_cast<size_t>(memory) + more) & ~more);
    }
    __device__ ~rex_local_array() { free(memory); }
    rex_local_array(const rex_local_array &) = delete;
};

/* A volatile object or a restrict pointer as an argument for functions of the device library, which access it once. */
template <class T>
REX_FN T *rex_unqualified(volatile T *x)
{
    return const_cast<T *>(x);
}

template <class T>
REX_FN T **rex_unqualified(T *__restrict__ volatile *x)
{
    return (T **)x;
}

/* Copies a structure that is out of alignment or has such members. If it were copied as a whole and only one member of the
 * copy used, nvcc 13 would load that member as if it were aligned. */
template <class T>
REX_FN T rex_by_bytes(const void *x)
{
    struct __attribute__((may_alias)) bytes {
        unsigned char value[sizeof(T)];
    };
    T copy;
    *reinterpret_cast<bytes *>(&copy) = *static_cast<const bytes *>(x);
    return copy;
}

template <class T>
REX_FN T rex_copied(const T &x)
{
    return rex_by_bytes<T>(&x);
}

/* Objects that a typedef aligns to only `Align` bytes, less than their type requires. They are moved in pieces of at most
 * that size. */
template <int Align>
using rex_piece = rex_conditional<Align == 1, unsigned char,
    rex_conditional<Align == 2, unsigned short, rex_conditional<Align == 4, unsigned int, unsigned long long>>>;

template <size_t Size, int Align>
struct __attribute__((may_alias)) rex_pieces {
    alignas(Align) rex_piece<Align> value[Size / sizeof(rex_piece<Align>)];
};

template <int Align = 1, class T>
REX_FN T rex_unaligned_load(const volatile T *x)
{
    using Pieces = rex_pieces<sizeof(T), Align>;
    T copy;
    *reinterpret_cast<Pieces *>(&copy) = *const_cast<const Pieces *>(reinterpret_cast<const volatile Pieces *>(x));
    return copy;
}

template <int Align = 1, class T, class V>
REX_FN T rex_unaligned_store(volatile T *x, V v)
{
    using Piece = rex_piece<Align>;
    const T value = static_cast<T>(v);
    Piece pieces[sizeof value / sizeof(Piece)];
    memcpy(pieces, &value, sizeof value);
    for (size_t i = 0; i < sizeof value / sizeof(Piece); ++i)
        reinterpret_cast<volatile Piece *>(x)[i] = pieces[i];
    return value;
}

template <class Op, int Align = 1, class T, class V>
REX_FN T rex_unaligned_then_fetch(volatile T *x, V v)
{
    return rex_unaligned_store<Align>(x, Op::apply(rex_unaligned_load<Align>(x), v));
}

template <class Op, int Align = 1, class T, class V>
REX_FN T rex_unaligned_fetch_then(volatile T *x, V v)
{
    const T old = rex_unaligned_load<Align>(x);
    rex_unaligned_store<Align>(x, Op::apply(old, v));
    return old;
}

/* A bit-field of a structure, which is in the structure's bytes First to Last. */
template <int First, int Last, class T, class F>
REX_FN auto rex_unaligned_bit_field(volatile T *x, F change)
{
    T copy{};
    volatile unsigned char *const bytes = reinterpret_cast<volatile unsigned char *>(x);
    unsigned char *const own = reinterpret_cast<unsigned char *>(&copy);
    for (int i = First; i <= Last; ++i)
        own[i] = bytes[i];
    const auto result = change(copy);
    for (int i = First; i <= Last; ++i)
        bytes[i] = own[i];
    return result;
}

/* Volatile complex numbers. C++ cannot copy them as wholes if they are structures. */
template <class Z>
REX_FN Z rex_volatile_load(const volatile Z *z)
{
    using R = typename rex_complex_type<Z>::real;
    const volatile R *const parts = reinterpret_cast<const volatile R *>(z);
    const R real = parts[0];
    return rex_complex<R>(real, parts[1]);
}

template <class Z, class V>
REX_FN Z rex_volatile_store(volatile Z *z, V v)
{
    using R = typename rex_complex_type<Z>::real;
    volatile R *const parts = reinterpret_cast<volatile R *>(z);
    const Z value = static_cast<Z>(v);
    parts[0] = rex_re<R>(value);
    parts[1] = rex_im<R>(value);
    return value;
}

template <class Op, class Z, class V>
REX_FN Z rex_volatile_then_fetch(volatile Z *z, V v)
{
    return rex_volatile_store(z, Op::apply(rex_volatile_load(z), v));
}

template <class Op, class Z, class V>
REX_FN Z rex_volatile_fetch_then(volatile Z *z, V v)
{
    const Z old = rex_volatile_load(z);
    rex_volatile_store(z, Op::apply(old, v));
    return old;
}

/* Stands for structures and unions without a size. */
struct rex_nothing {};

/* Calls a function when its scope is left, for the attribute cleanup. */
template <class F>
struct rex_at_end {
    F call;
    __device__ explicit rex_at_end(F f) : call(f) {}
    __device__ ~rex_at_end() { call(); }
    rex_at_end(const rex_at_end &) = delete;
};

/* The value that a switch with case ranges compares. For a value inside a range it is the first one, which is the range's
 * label, because nvcc ignores the inner values of ranges. */
template <class T>
REX_FN T rex_start_of_range(T x)
{
    return x;
}
template <class T, class... More>
REX_FN T rex_start_of_range(T x, T low, T high, More... more)
{
    return low <= x && x <= high ? low : rex_start_of_range<T>(x, T(more)...);
}

template <class T>
REX_FN T rex_value(T x)
{
    return x;
}
