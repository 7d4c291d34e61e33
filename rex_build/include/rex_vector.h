/* GNU C's vector types. Operations on vectors are done element by element, in the type of the elements.
 * Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

template <class T, int N>
struct alignas(sizeof(T) * N) rex_vector {
    T at[N];

    __device__ static rex_vector all(T value)
    {
        rex_vector made;
        for (int i = 0; i < N; ++i)
            made.at[i] = value;
        return made;
    }
    __device__ rex_vector &operator++() { return *this = *this + all(1); }
    __device__ rex_vector &operator--() { return *this = *this - all(1); }
    __device__ rex_vector operator++(int)
    {
        const rex_vector old = *this;
        ++*this;
        return old;
    }
    __device__ rex_vector operator--(int)
    {
        const rex_vector old = *this;
        --*this;
        return old;
    }
};

template <class T>
using rex_promoted = decltype(+T());

/* An element in the type Word, in which an operation is done. */
template <class Word, class T>
__device__ inline Word rex_element(T value)
{
    rex_promoted<T> promoted = value;
    if constexpr (rex_is_integral<T> && sizeof(T) < 4)
        rex_keep_apart(promoted);
    return static_cast<Word>(promoted);
}

/* The elements of a comparison's result. */
template <class T>
using rex_mask_element = rex_conditional<sizeof(T) == 1, signed char,
    rex_conditional<sizeof(T) == 2, short,
        rex_conditional<sizeof(T) == 4, int, rex_conditional<sizeof(T) == 8, long, __int128>>>>;

/* Word is the type in which an operation on two elements is done. Operands are passed by value, so that nvcc loads them
 * as wholes. */
#define REX_VECTOR_ARITHMETIC(op, Word)                                                                                \
    template <class T, int N>                                                                                          \
    __device__ inline rex_vector<T, N> operator op(rex_vector<T, N> a, rex_vector<T, N> b)                             \
    {                                                                                                                  \
        rex_vector<T, N> made;                                                                                         \
        for (int i = 0; i < N; ++i)                                                                                    \
            made.at[i] = rex_element<Word>(a.at[i]) op rex_element<Word>(b.at[i]);                                     \
        return made;                                                                                                   \
    }                                                                                                                  \
    template <class T, int N>                                                                                          \
    __device__ inline rex_vector<T, N> &operator op##=(rex_vector<T, N> &a, rex_vector<T, N> b)                        \
    {                                                                                                                  \
        return a = a op b;                                                                                             \
    }
REX_VECTOR_ARITHMETIC(+, rex_modular_word<T>)
REX_VECTOR_ARITHMETIC(-, rex_modular_word<T>)
REX_VECTOR_ARITHMETIC(*, rex_modular_word<T>)
REX_VECTOR_ARITHMETIC(/, rex_promoted<T>)
REX_VECTOR_ARITHMETIC(%, rex_promoted<T>)
REX_VECTOR_ARITHMETIC(&, rex_promoted<T>)
REX_VECTOR_ARITHMETIC(|, rex_promoted<T>)
REX_VECTOR_ARITHMETIC(^, rex_promoted<T>)

#define REX_VECTOR_SHIFT(op, Word)                                                                                     \
    template <class T, class U, int N>                                                                                 \
    __device__ inline rex_vector<T, N> operator op(rex_vector<T, N> a, rex_vector<U, N> b)                             \
    {                                                                                                                  \
        rex_vector<T, N> made;                                                                                         \
        for (int i = 0; i < N; ++i)                                                                                    \
            made.at[i] = rex_element<Word>(a.at[i]) op rex_element<rex_promoted<U>>(b.at[i]);                          \
        return made;                                                                                                   \
    }                                                                                                                  \
    template <class T, class U, int N>                                                                                 \
    __device__ inline rex_vector<T, N> &operator op##=(rex_vector<T, N> &a, rex_vector<U, N> b)                        \
    {                                                                                                                  \
        return a = a op b;                                                                                             \
    }
REX_VECTOR_SHIFT(<<, rex_modular_word<T>)
REX_VECTOR_SHIFT(>>, rex_promoted<T>)

/* All bits of an element are set if the relation holds. */
#define REX_VECTOR_COMPARISON(op)                                                                                      \
    template <class T, int N>                                                                                          \
    __device__ inline auto operator op(rex_vector<T, N> a, rex_vector<T, N> b)                                         \
    {                                                                                                                  \
        rex_vector<rex_mask_element<T>, N> made;                                                                       \
        for (int i = 0; i < N; ++i)                                                                                    \
            made.at[i] = rex_element<rex_promoted<T>>(a.at[i]) op rex_element<rex_promoted<T>>(b.at[i]) ? -1 : 0;      \
        return made;                                                                                                   \
    }
REX_VECTOR_COMPARISON(==)
REX_VECTOR_COMPARISON(!=)
REX_VECTOR_COMPARISON(<)
REX_VECTOR_COMPARISON(>)
REX_VECTOR_COMPARISON(<=)
REX_VECTOR_COMPARISON(>=)

#define REX_VECTOR_UNARY(op, Word)                                                                                     \
    template <class T, int N>                                                                                          \
    __device__ inline rex_vector<T, N> operator op(rex_vector<T, N> a)                                                 \
    {                                                                                                                  \
        rex_vector<T, N> made;                                                                                         \
        for (int i = 0; i < N; ++i)                                                                                    \
            made.at[i] = op rex_element<Word>(a.at[i]);                                                                \
        return made;                                                                                                   \
    }
REX_VECTOR_UNARY(+, rex_promoted<T>)
REX_VECTOR_UNARY(-, rex_modular_word<T>)
REX_VECTOR_UNARY(~, rex_promoted<T>)

/* Products of floating-point elements that are not fused with other operations. */
template <class T, int N>
__device__ inline rex_vector<T, N> rex_vector_product(rex_vector<T, N> a, rex_vector<T, N> b)
{
    rex_vector<T, N> made;
    for (int i = 0; i < N; ++i)
        made.at[i] = rex_product<rex_promoted<T>>(a.at[i], b.at[i]);
    return made;
}

template <class T, int N>
__device__ inline rex_vector<T, N> &rex_vector_multiply(rex_vector<T, N> &a, rex_vector<T, N> b)
{
    return a = rex_vector_product(a, b);
}

/* The same bytes in another type. */
template <class To, class From>
__device__ inline To rex_bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "of the same size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <class To, class T, int N>
__device__ inline To rex_convert_vector(rex_vector<T, N> from)
{
    To to;
    for (int i = 0; i < N; ++i)
        to.at[i] = static_cast<rex_remove_reference<decltype(to.at[0])>>(from.at[i]);
    return to;
}

/* Chooses among the elements of a followed by those of b. The mask has their numbers, modulo how many there are. */
template <class T, class I, int N>
__device__ inline rex_vector<T, N> rex_shuffle(rex_vector<T, N> a, rex_vector<T, N> b, rex_vector<I, N> mask)
{
    rex_vector<T, N> made;
    for (int i = 0; i < N; ++i) {
        const int from = static_cast<int>(static_cast<unsigned int>(mask.at[i]) % (2 * N));
        made.at[i] = from < N ? a.at[from] : b.at[from - N];
    }
    return made;
}

/* The same with constant numbers. -1 stands for an element with any value. */
template <int... From, class T, int N>
__device__ inline rex_vector<T, sizeof...(From)> rex_shuffle(rex_vector<T, N> a, rex_vector<T, N> b)
{
    return {{(From < N ? a.at[From < 0 || From >= N ? 0 : From] : b.at[From < N ? 0 : From - N])...}};
}
