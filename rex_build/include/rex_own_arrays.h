/* Arrays of a thread's own in shared memory. Included by xomp_cuda_lib_inlined.cu.
 *
 * Each word of four bytes belongs to one thread, and words of neighbouring threads lie side by side. So each thread of a
 * warp has a bank of its own, and none waits for another, whatever elements they come to. REX_OWN_SHARED, REX_OWN_THREADS
 * and rex_own_thread are those of the device; a thread of the cpu device has its array alone. */
#pragma once

template <class Array, int Threads>
struct rex_own_array;

template <class T, size_t N, int Threads>
struct rex_own_array<T[N], Threads> {
    static constexpr unsigned int of_word = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    struct storage {
        alignas(16) T all[(N + of_word - 1) / of_word * of_word * Threads];
    };
    T *const own;

    __device__ rex_own_array(storage &shared, unsigned int thread) : own(shared.all + thread * of_word) {}
    rex_own_array(const rex_own_array &) = delete;
    __device__ T &operator[](size_t index) const
    {
        const unsigned int i = static_cast<unsigned int>(index); /* there are few elements */
        return own[i / of_word * (of_word * Threads) + i % of_word];
    }
    __device__ void begin(const T (&first)[N]) const
    {
        REX_UNROLL for (unsigned int i = 0; i < N; ++i)
            (*this)[i] = first[i];
    }
};

/* Behind the declaration of `name__rex_first`, which has the type of the array, and its values for REX_OWN_ARRAY_FROM. */
#define REX_OWN_ARRAY(name, threads)                                                                                   \
    using name##__rex_own = rex_own_array<decltype(name##__rex_first), REX_OWN_THREADS(threads)>;                      \
    REX_OWN_SHARED typename name##__rex_own::storage name##__rex_all;                                                  \
    const name##__rex_own name(name##__rex_all, rex_own_thread())
#define REX_OWN_ARRAY_FROM(name, threads)                                                                              \
    REX_OWN_ARRAY(name, threads);                                                                                      \
    name.begin(name##__rex_first)
