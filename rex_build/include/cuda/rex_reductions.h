/* Reductions over a team, a grid and a league, and broadcasts of one thread's value. Included by
 * xomp_cuda_lib_inlined.cu. */
#pragma once

/* Gives every thread of the current region the first thread's value of a private variable, for copyprivate. */
template <class T>
REX_FN void rex_broadcast(T *x)
{
    if (omp_get_num_threads() == 1)
        return;
    alignas(T) static __shared__ unsigned char value[sizeof(T)];
    if (rex_ran_single())
        memcpy(value, x, sizeof(T));
    rex_barrier();
    memcpy(x, value, sizeof(T));
    rex_barrier();
}

/* A reduced array of which the threads of a team share one copy. The body only updates its elements. Arrays that do not
 * fit into shared memory have no copy: their own elements are updated. */
#define REX_HAS_ROOM(count, room) ((count) <= (room))
#define REX_WAIT_FOR_TEAM() __syncthreads()
#define REX_FOR_TEAM(i, count) for (long i = threadIdx.x; i < (count); i += blockDim.x)
#define REX_TEAM_ARRAY(type, name, count, room, original)                                                              \
    __shared__ type name##__rex_storage[(room) > 0 ? (room) : 1];                                                      \
    type *const name = REX_HAS_ROOM(count, room) ? name##__rex_storage : (original)
#define REX_TEAM_ARRAY_OF_RUN REX_TEAM_ARRAY

/* Such an array is not on a thread's stack. So nvcc may see which memory it is in, and count its addresses in 32 bits. */
template <class Op, class T, class V>
REX_FN void rex_team_update(T *x, V v)
{
    if constexpr (Op::template native<T>)
        if (rex_narrows_exactly<Op, T>(v)) {
            if (__isShared(x))
                Op::fetch(static_cast<T *>(__cvta_shared_to_generic(__cvta_generic_to_shared(x))), static_cast<T>(v));
            else
                Op::fetch(static_cast<T *>(__cvta_global_to_generic(__cvta_generic_to_global(x))), static_cast<T>(v));
            return;
        }
    rex_atomic_update<Op>(x, v);
}

#include "../rex_reductions.h"

struct rex_two_words {
    unsigned long long low, high;
};
template <class... T>
using rex_partial_word =
    rex_conditional<(... || (sizeof(T) > 8)), rex_two_words,
                    rex_conditional<(... || (sizeof(T) > 4)), unsigned long long, unsigned int>>;

template <class T>
REX_FN T rex_shuffle_down(unsigned int mask, T value, unsigned int delta)
{
    if constexpr (sizeof(T) > 8) {
        const rex_two_words bits = rex_bits<rex_two_words>(value);
        return rex_from_bits<T>(
            rex_two_words{__shfl_down_sync(mask, bits.low, delta), __shfl_down_sync(mask, bits.high, delta)});
    } else {
        using Word = rex_unsigned_word<T>;
        return rex_from_bits<T>(__shfl_down_sync(mask, rex_bits<Word>(value), delta));
    }
}

/* Called by the first `lanes` lanes of a warp. The first lane gets the combined values of all. */
template <class Op, class T>
REX_FN T rex_reduce_lanes(T value, unsigned int lanes)
{
    const unsigned int lane = threadIdx.x % REX_WARP, mask = ~0u >> (REX_WARP - lanes);
    for (unsigned int delta = REX_WARP / 2; delta > 0; delta /= 2) {
        const T other = rex_shuffle_down(mask, value, delta);
        if (lane + delta < lanes)
            value = static_cast<T>(Op::apply(value, other));
    }
    return value;
}

/* Called by a whole warp, of which the first lane gets the combined values. Nobody uses the others' afterwards, so nobody has
 * to look which lane it is. */
template <class Op, class T>
REX_FN T rex_reduce_warp(T value)
{
    for (unsigned int delta = REX_WARP / 2; delta > 0; delta /= 2)
        value = static_cast<T>(Op::apply(value, rex_shuffle_down(~0u, value, delta)));
    return value;
}

/* The number of lanes in the calling thread's warp that are among the first `threads` threads of the block. */
REX_FN unsigned int rex_lanes_of(unsigned int threads)
{
    const unsigned int rest = threads - threadIdx.x / REX_WARP * REX_WARP;
    return rest < REX_WARP ? rest : REX_WARP;
}

template <class Op, class T, class Word>
REX_FN void rex_combine_warps(T *original, const Word *partials, unsigned int warps)
{
    T value = *original;
#pragma unroll 1
    for (unsigned int warp = 0; warp < warps; ++warp)
        value = static_cast<T>(Op::apply(value, rex_from_bits<T>(partials[warp])));
    *original = value;
}

REX_STATE __shared__ unsigned long long rex_warp_partials[REX_BLOCK_MAX / REX_WARP];

/* Called by all threads of a worksharing kernel's grid. Combines their partial values into *original. */
template <class Op, class T>
REX_FN void rex_reduce_grid(T *original, T partial)
{
    using Word = unsigned long long;
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(blockDim.x));
    if constexpr (sizeof(T) > sizeof(Word)) { /* each warp on its own */
        if (threadIdx.x % REX_WARP == 0)
            rex_atomic_update<Op>(original, partial);
        return;
    } else if (blockDim.x > REX_WARP) {
        const unsigned int warps = (blockDim.x + REX_WARP - 1) / REX_WARP;
        __syncthreads(); /* the partial values of a reduction before this one have been read */
        if (threadIdx.x % REX_WARP == 0)
            rex_warp_partials[threadIdx.x / REX_WARP] = rex_bits<Word>(partial);
        __syncthreads();
        if (threadIdx.x < warps)
            partial = rex_reduce_lanes<Op>(rex_from_bits<T>(rex_warp_partials[threadIdx.x]), warps);
    }
    if (threadIdx.x == 0)
        rex_atomic_update<Op>(original, partial);
}

constexpr unsigned int REX_BATCH = 8; /* elements of an array that a warp combines in one go */
template <class T>
constexpr bool rex_in_batches = sizeof(T) <= 8 && !rex_is_complex<T>;
REX_STATE __shared__ unsigned long long rex_batch_partials[2][REX_BLOCK_MAX / REX_WARP][REX_BATCH];

template <class T>
REX_FN T rex_shuffle_xor(T value, unsigned int distance)
{
    using Word = rex_unsigned_word<T>;
    return rex_from_bits<T>(__shfl_xor_sync(~0u, rex_bits<Word>(value), distance));
}

/* Called by all lanes of a warp. Each lane gets the combined values of all lanes whose number has the same remainder as its
 * own when divided by REX_BATCH. */
template <class Op, class T>
REX_FN T rex_reduce_groups(T value)
{
    for (unsigned int distance = REX_BATCH; distance < REX_WARP; distance *= 2)
        value = static_cast<T>(Op::apply(value, rex_shuffle_xor(value, distance)));
    return value;
}

/* Called by all lanes of a warp with their values of REX_BATCH elements. Each lane gets the combined values of one element:
 * the one whose number is the lane's modulo REX_BATCH. In every step, two lanes exchange values. Each keeps one half of the
 * elements that it still has, and gives the other half away. */
template <class Op, class T>
REX_FN T rex_reduce_batch(T (&values)[REX_BATCH])
{
    const unsigned int lane = threadIdx.x % REX_WARP;
#pragma unroll
    for (unsigned int half = REX_BATCH / 2; half > 0; half /= 2) {
        const bool upper = lane & half;
#pragma unroll
        for (unsigned int i = 0; i < half; ++i) {
            const T kept = upper ? values[i + half] : values[i], given = upper ? values[i] : values[i + half];
            values[i] = static_cast<T>(Op::apply(kept, rex_shuffle_xor(given, half)));
        }
    }
    return rex_reduce_groups<Op>(values[0]);
}

/* Combines the lanes' values of the elements from `first` on. */
template <class Op, class T>
REX_FN T rex_reduce_next(const T *partials, long first, long count)
{
    T values[REX_BATCH];
#pragma unroll
    for (unsigned int i = 0; i < REX_BATCH; ++i)
        values[i] = first + i < count ? partials[first + i] : rex_identity<Op, T>();
    return rex_reduce_batch<Op>(values);
}

/* Like rex_reduce_grid, for each of `count` elements. The warps use two buffers for their values in turns, so one barrier
 * for each batch is enough. */
template <class Op, class T>
REX_FN void rex_reduce_grid_array(T *original, const T *partials, long count)
{
    const unsigned int lane = threadIdx.x % REX_WARP, warp = threadIdx.x / REX_WARP, warps = blockDim.x / REX_WARP;
    if constexpr (!rex_in_batches<T>) {
        for (long i = 0; i < count; ++i)
            rex_reduce_grid<Op>(original + i, partials[i]);
    } else if (blockDim.x % REX_WARP != 0) { /* each warp on its own */
        for (long i = 0; i < count; ++i) {
            const T value = rex_reduce_lanes<Op>(partials[i], rex_lanes_of(blockDim.x));
            if (lane == 0)
                rex_atomic_update<Op>(original + i, value);
        }
    } else {
        unsigned int place = 0;
        __syncthreads(); /* the values of an array before this one have been read */
        for (long first = 0; first < count; first += REX_BATCH, place = 1 - place) {
            T value = rex_reduce_next<Op>(partials, first, count);
            if (warps > 1) {
                const unsigned int element = lane % REX_BATCH;
                if (lane < REX_BATCH)
                    rex_batch_partials[place][warp][element] = rex_bits<unsigned long long>(value);
                __syncthreads();
                if (warp > 0)
                    continue;
                value = rex_identity<Op, T>();
                for (unsigned int from = lane / REX_BATCH; from < warps; from += REX_WARP / REX_BATCH) {
                    const T other = rex_from_bits<T>(rex_batch_partials[place][from][element]);
                    value = static_cast<T>(Op::apply(value, other));
                }
                value = rex_reduce_groups<Op>(value);
            }
            if (lane < REX_BATCH && first + lane < count)
                rex_atomic_update<Op>(original + first + lane, value);
        }
    }
}

/* Called by all threads of the block. The first thread gets the combined values of all. */
template <class... Part>
REX_FN void rex_reduce_block(Part &...part)
{
    using Word = rex_partial_word<typename Part::type...>;
    static __shared__ Word partials[sizeof...(Part)][REX_BLOCK_MAX / REX_WARP];
    ((part.value = rex_reduce_lanes<typename Part::operation>(part.value, rex_lanes_of(blockDim.x))), ...);
    if (blockDim.x > REX_WARP) {
        const unsigned int warps = (blockDim.x + REX_WARP - 1) / REX_WARP;
        unsigned int number = 0;
        if (threadIdx.x % REX_WARP == 0)
            ((partials[number++][threadIdx.x / REX_WARP] = rex_bits<Word>(part.value)), ...);
        __syncthreads();
        number = 0;
        if (threadIdx.x < warps)
            ((part.value = rex_reduce_lanes<typename Part::operation>(
                  rex_from_bits<typename Part::type>(partials[number++][threadIdx.x]), warps)),
             ...);
    }
}

/* The same for several variables with one barrier. A kernel calls it only once. */
template <class... Part>
REX_FN void rex_reduce_grid(Part... part)
{
    rex_reduce_block(part...);
    if (threadIdx.x == 0)
        (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

/* The same for blocks of two dimensions, which have whole warps. */
template <class... Part>
REX_FN void rex_reduce_tiles(Part... part)
{
    using Word = rex_partial_word<typename Part::type...>;
    static __shared__ Word partials[sizeof...(Part)][REX_BLOCK_MAX / REX_WARP];
    const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x, warps = blockDim.x * blockDim.y / REX_WARP;
    unsigned int number = 0;
    ((part.value = rex_reduce_warp<typename Part::operation>(part.value)), ...);
    if (thread % REX_WARP == 0)
        ((partials[number++][thread / REX_WARP] = rex_bits<Word>(part.value)), ...);
    __syncthreads();
    if (thread >= REX_WARP)
        return;
    number = 0;
    ((part.value = thread < warps ? rex_from_bits<typename Part::type>(partials[number][thread])
                                  : rex_identity<typename Part::operation, typename Part::type>(),
      part.value = rex_reduce_warp<typename Part::operation>(part.value), ++number),
     ...);
    if (thread == 0)
        (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class Part>
REX_FN void rex_add_part(const Part &part)
{
    *part.original = static_cast<typename Part::type>(Part::operation::apply(*part.original, part.value));
}

/* The values that the blocks first, first + step, ... have left, combined in this order. */
template <class Part>
REX_FN void rex_collect_partials(Part &part, const unsigned long long *partials, unsigned int first, unsigned int step)
{
    using T = typename Part::type;
    T value = rex_identity<typename Part::operation, T>();
    for (unsigned int block = first; block < gridDim.x; block += step)
        value = static_cast<T>(Part::operation::apply(value, rex_from_bits<T>(rex_atomic_read(partials + block))));
    part.value = value;
}

/* Whether the calling thread's block is the last block of the grid to leave its values in `partials`. This buffer is zero
 * at launch. It has 1 + gridDim.x words for each variable, and the very first word counts blocks. */
template <class... Part>
REX_FN bool rex_leave_partials(unsigned long long *partials, const Part &...part)
{
    unsigned int number = 0;
    ((partials[number++ * (1 + gridDim.x) + 1 + blockIdx.x] = rex_bits<unsigned long long>(part.value)), ...);
    __threadfence();
    const bool last = atomicAdd(partials, 1ULL) == gridDim.x - 1;
    __threadfence();
    return last;
}

/* Like rex_reduce_grid, but in an order that depends only on the launch shape: the last block combines the values of all
 * blocks. */
template <class... Part>
REX_FN void rex_reduce_grid_ordered(unsigned long long *partials, Part... part)
{
    static __shared__ bool last;
    __syncthreads(); /* for arrays this is called repeatedly */
    rex_reduce_block(part...);
    if (threadIdx.x == 0)
        last = rex_leave_partials(partials, part...);
    __syncthreads();
    if (!last)
        return;
    unsigned int number = 0;
    (rex_collect_partials(part, partials + number++ * (1 + gridDim.x) + 1, threadIdx.x, blockDim.x), ...);
    rex_reduce_block(part...);
    if (threadIdx.x == 0)
        (rex_add_part(part), ...);
}

template <class... Part>
REX_FN void rex_reduce_league_ordered(unsigned long long *partials, Part... part)
{
    if (!rex_leave_partials(partials, part...))
        return;
    unsigned int number = 0;
    (rex_collect_partials(part, partials + number++ * (1 + gridDim.x) + 1, 0, 1), ...);
    (rex_add_part(part), ...);
}

/* The first lane's value. Called by all lanes of a warp. */
template <class T>
REX_FN T rex_of_first_lane(T value)
{
    if constexpr (sizeof(T) > 8) {
        const rex_two_words bits = rex_bits<rex_two_words>(value);
        return rex_from_bits<T>(rex_two_words{__shfl_sync(~0u, bits.low, 0), __shfl_sync(~0u, bits.high, 0)});
    } else {
        return rex_from_bits<T>(__shfl_sync(~0u, rex_bits<rex_unsigned_word<T>>(value), 0));
    }
}

/* Called by all threads of the block. Every warp combines the values of all warps in the same order, so all threads have
 * the same result: they must agree on where they go from here. Few values of one word are read at once, and each thread
 * combines them faster than shuffles do; of longer ones it does not. */
constexpr unsigned int REX_FEW_WARPS = 4; /* whose words are one load of 16 bytes */
template <class Op, class T, class Word>
REX_FN void rex_combine_in_warps(T *original, const Word *partials, unsigned int warps)
{
    const unsigned int lane = threadIdx.x % REX_WARP;
    if (sizeof(Word) == sizeof(int) && warps <= REX_FEW_WARPS) {
        T value = rex_from_bits<T>(partials[0]);
#pragma unroll
        for (unsigned int warp = 1; warp < REX_FEW_WARPS; ++warp)
            if (warp < warps)
                value = static_cast<T>(Op::apply(value, rex_from_bits<T>(partials[warp])));
        *original = static_cast<T>(Op::apply(*original, value));
        return;
    }
    if (blockDim.x % REX_WARP != 0) { /* the last warp may have fewer lanes than there are warps */
        rex_combine_warps<Op>(original, partials, warps);
        return;
    }
    T value = lane < warps ? rex_from_bits<T>(partials[lane]) : rex_identity<Op, T>();
#pragma unroll
    for (unsigned int delta = REX_WARP / 2; delta > 0; delta /= 2)
        if (delta < warps)
            value = static_cast<T>(Op::apply(value, rex_shuffle_down(~0u, value, delta)));
    *original = static_cast<T>(Op::apply(*original, rex_of_first_lane(value)));
}

/* Called by all threads of the block, each with its own copies of the originals. All get the same results. The warps use
 * two buffers for their partial values in turns, so one barrier is enough. */
template <class... Part>
REX_FN void rex_reduce_all(unsigned int &turn, Part... part)
{
    using Word = rex_partial_word<typename Part::type...>;
    alignas(16) static __shared__ Word partials[2][sizeof...(Part)][REX_BLOCK_MAX / REX_WARP];
    const unsigned int warps = (blockDim.x + REX_WARP - 1) / REX_WARP, place = turn++ % 2;
    if (sizeof(Word) == sizeof(int) && warps <= REX_FEW_WARPS && blockDim.x % REX_WARP == 0)
        ((part.value = rex_reduce_warp<typename Part::operation>(part.value)), ...);
    else
        ((part.value = rex_reduce_lanes<typename Part::operation>(part.value, rex_lanes_of(blockDim.x))), ...);
    unsigned int number = 0;
    if (threadIdx.x % REX_WARP == 0)
        ((partials[place][number++][threadIdx.x / REX_WARP] = rex_bits<Word>(part.value)), ...);
    __syncthreads();
    number = 0;
    (rex_combine_in_warps<typename Part::operation>(part.original, partials[place][number++], warps), ...);
}

/* Called by all threads of the current parallel region. The result is complete after the region's next barrier. */
template <class Op, class T>
REX_FN void rex_reduce_team(T *original, T partial)
{
    if (omp_get_num_threads() == 1) {
        rex_atomic_update<Op>(original, partial); /* other teams may do so, too */
        return;
    }
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(rex_team.region_threads));
    if (threadIdx.x % REX_WARP == 0)
        rex_atomic_update<Op>(original, partial);
}

/* Called by the first `lanes` lanes of a warp with one copy each of what a declared reduction combines. The first lane's copy
 * then has those of all. */
template <class T, class Combine>
REX_FN void rex_combine_first_lanes(T *mine, unsigned int lanes, Combine combine)
{
    const unsigned int lane = threadIdx.x % REX_WARP, mask = ~0u >> (REX_WARP - lanes);
#pragma unroll
    for (unsigned int distance = REX_WARP / 2; distance > 0; distance /= 2) {
        if (distance >= lanes)
            continue;
        alignas(T) unsigned int words[(sizeof(T) + sizeof(int) - 1) / sizeof(int)] = {};
        __builtin_memcpy(words, static_cast<const void *>(mine), sizeof(T));
#pragma unroll
        for (unsigned int i = 0; i < sizeof words / sizeof(int); ++i)
            words[i] = __shfl_down_sync(mask, words[i], distance);
        if (lane + distance < lanes)
            combine(mine, reinterpret_cast<T *>(words));
    }
}

/* Called by threads of a warp with one copy each. True for the thread whose copy then has those of all lanes, or for each
 * thread if they are not the warp's first ones, or the objects more than few bytes. */
constexpr unsigned int REX_MOST_SHUFFLED = 64;
template <class T, class Combine>
REX_FN bool rex_combine_lanes(T *mine, Combine combine)
{
    if constexpr (!__is_trivially_copyable(T) || sizeof(T) > REX_MOST_SHUFFLED) {
        return true;
    } else {
        const unsigned int lanes = __activemask();
        if ((lanes & (lanes + 1)) != 0)
            return true;
        rex_combine_first_lanes(mine, __popc(lanes), combine);
        return threadIdx.x % REX_WARP == 0;
    }
}

/* Objects in shared memory, in which nothing is constructed: the warps', and the result. */
template <class T>
struct alignas(sizeof(T) % 16 == 0 ? 16 : alignof(T)) rex_object_bytes {
    unsigned char bytes[sizeof(T)];
};
template <class T>
REX_FN rex_object_bytes<T> *rex_team_objects()
{
    static __shared__ rex_object_bytes<T> objects[REX_BLOCK_MAX / REX_WARP + 1];
    return objects;
}

/* Called by all threads of the block, each with an original and a copy of its own. All get the same result. */
template <class T, class Combine>
REX_FN void rex_combine_by_all(T *original, T *mine, Combine combine)
{
    rex_object_bytes<T> *const objects = rex_team_objects<T>(), *const result = objects + REX_BLOCK_MAX / REX_WARP;
    const unsigned int warps = (blockDim.x + REX_WARP - 1) / REX_WARP;
    rex_combine_first_lanes(mine, rex_lanes_of(blockDim.x), combine);
    if (threadIdx.x % REX_WARP == 0)
        __builtin_memcpy(objects + threadIdx.x / REX_WARP, static_cast<const void *>(mine), sizeof(T));
    __syncthreads();
    if (threadIdx.x < warps) {
        __builtin_memcpy(static_cast<void *>(mine), objects + threadIdx.x, sizeof(T));
        rex_combine_first_lanes(mine, warps, combine);
        if (threadIdx.x == 0) {
            combine(original, mine);
            __builtin_memcpy(result, static_cast<const void *>(original), sizeof(T));
        }
    }
    __syncthreads();
    __builtin_memcpy(static_cast<void *>(original), result, sizeof(T));
}
#define REX_COMBINED_BY_ALL(lock, original, mine, ...)                                                                 \
    rex_combine_by_all(original, mine, [&](auto *to, auto *from) { __VA_ARGS__(to, from); })
#define REX_COMBINED_LANES(mine, ...) rex_combine_lanes(mine, [&](auto *to, auto *from) { __VA_ARGS__(to, from); })
#define REX_OF_TEAM(lock) rex_team.combining

/* The same in the text of regions that all threads of a team run. */
template <class Op, class T>
REX_FN void rex_reduce_region(T *original, T partial)
{
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(blockDim.x));
    if (threadIdx.x % REX_WARP == 0)
        rex_atomic_update<Op>(original, partial);
}

/* The same as rex_reduce_team for each of `count` elements. */
template <class Op, class T>
REX_FN void rex_reduce_team_array(T *original, const T *partials, long count)
{
    const unsigned int lane = threadIdx.x % REX_WARP;
    if (!rex_in_batches<T> || omp_get_num_threads() == 1 || rex_team.region_threads % REX_WARP != 0) {
        for (long i = 0; i < count; ++i)
            rex_reduce_team<Op>(original + i, partials[i]);
    } else if constexpr (rex_in_batches<T>) {
        for (long first = 0; first < count; first += REX_BATCH) {
            const T value = rex_reduce_next<Op>(partials, first, count);
            if (lane < REX_BATCH && first + lane < count)
                rex_atomic_update<Op>(original + first + lane, value);
        }
    }
}

/* Combines one value in the order of the threads' numbers. */
template <class Op, class T>
REX_FN void rex_reduce_team_ordered(T *original, T partial)
{
    using Word = unsigned long long;
    const unsigned int threads = omp_get_num_threads();
    if (threads == 1) {
        *original = static_cast<T>(Op::apply(*original, partial));
        return;
    }
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(threads));
    rex_barrier(); /* the partial values of a reduction before this one have been read */
    if (threadIdx.x % REX_WARP == 0)
        rex_warp_partials[threadIdx.x / REX_WARP] = rex_bits<Word>(partial);
    rex_barrier();
    if (threadIdx.x == 0)
        rex_combine_warps<Op>(original, rex_warp_partials, (threads + REX_WARP - 1) / REX_WARP);
}

template <class Op, class T>
REX_FN void rex_reduce_region_ordered(T *original, T partial)
{
    using Word = unsigned long long;
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(blockDim.x));
    __syncthreads(); /* the partial values of a reduction before this one have been read */
    if (threadIdx.x % REX_WARP == 0)
        rex_warp_partials[threadIdx.x / REX_WARP] = rex_bits<Word>(partial);
    __syncthreads();
    if (threadIdx.x == 0)
        rex_combine_warps<Op>(original, rex_warp_partials, (blockDim.x + REX_WARP - 1) / REX_WARP);
}

/* The order of this is the same in every run anyway. */
template <class... Part>
REX_FN void rex_reduce_all_ordered(unsigned int &turn, Part... part)
{
    rex_reduce_all(turn, part...);
}
