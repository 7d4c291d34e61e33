/* Loops of a block, in a region that is one thread's.
 *
 * Iterations leave nothing to each other but sums of integers, and the like, which are the same in any order. All threads of
 * a block call rex_block_loop(trips, body, carried...) together, and each runs some iterations: `body(k, part...)` is number
 * k of them, and `part` what its thread has combined so far. At the end every thread's variable behind `carried`, which is a
 * rex_carried, has the value that one thread would have left there.
 *
 * Where iterations read such variables, rex_block_scan(trips, added, body, carried...) first runs `added(k, part...)` for as
 * many iterations as there are threads, which computes what iteration k combines with the variables. Then `body(k, own...)`
 * runs, where `own` is what they are when iteration k begins.
 * Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

/* A variable and the type in which it is combined: sums and products have unsigned ones, in which no part overflows. */
template <class Op, class T>
struct rex_carried_type {
    using type = T;
};
template <class T>
struct rex_carried_type<rex_add, T> {
    using type = rex_unsigned_word<T>;
};
template <class T>
struct rex_carried_type<rex_mul, T> {
    using type = rex_unsigned_word<T>;
};

#ifdef REX_DEVICE_CPU

/* One thread runs all iterations. With REX_CPU_BACKWARDS, which is for tests, it runs as many as REX_CPU_BLOCK threads would
 * at a time, the last one first: then results show that iterations which share a block depend on each other. */
#ifdef REX_CPU_BACKWARDS
#define REX_CPU_BLOCK 32
#else
#define REX_CPU_BLOCK 1
#endif
template <class Op, class T>
struct rex_carried {
    using word = typename rex_carried_type<Op, T>::type;
    T &value;
    word part[REX_CPU_BLOCK] = {};
    T own[REX_CPU_BLOCK] = {};
    word &begin(int i) { return part[i] = rex_identity<Op, word>(); }
    void add_up(int count)
    {
        for (int i = 0; i < count; ++i) {
            own[i] = value;
            value = static_cast<T>(Op::apply(static_cast<word>(value), part[i]));
        }
    }
};
template <class Added, class Body, class... Carried>
static inline void rex_block_scan(long long trips, Added added, Body body, Carried... carried)
{
    for (long long first = 0; first < trips; first += REX_CPU_BLOCK) {
        const int count = trips - first < REX_CPU_BLOCK ? static_cast<int>(trips - first) : REX_CPU_BLOCK;
        for (int i = count - 1; i >= 0; --i)
            added(first + i, carried.begin(i)...);
        (carried.add_up(count), ...);
        for (int i = count - 1; i >= 0; --i)
            body(first + i, carried.own[i]...);
    }
}
template <class Body, class... Carried>
static inline void rex_block_loop(long long trips, Body body, Carried... carried)
{
    for (long long first = 0; first < trips; first += REX_CPU_BLOCK) {
        const int count = trips - first < REX_CPU_BLOCK ? static_cast<int>(trips - first) : REX_CPU_BLOCK;
        for (int i = count - 1; i >= 0; --i)
            body(first + i, carried.begin(i)...);
        (carried.add_up(count), ...);
    }
}

#else

template <class Op, class T>
struct rex_carried {
    using word = typename rex_carried_type<Op, T>::type;
    T &value, own = {};
    word part = rex_identity<Op, word>();

    __device__ void begin() { part = rex_identity<Op, word>(); }
    /* Gives each thread what the threads before it have combined with the value, and all of them what all have. Threads use
     * one place after the other in shared memory only when all are done with it. */
    __device__ void add_up()
    {
        __shared__ word warps[32];
        const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
        word sum = up_to_lane(part, lane);
        if (lane == 31)
            warps[warp] = sum;
        const word before = __shfl_up_sync(~0u, sum, 1);
        sum = lane > 0 ? before : rex_identity<Op, word>();
        __syncthreads();
        const word all = up_to_lane(lane < static_cast<int>(blockDim.x) / 32 ? warps[lane] : rex_identity<Op, word>(), lane);
        const word ahead = __shfl_sync(~0u, all, warp > 0 ? warp - 1 : 0), first = static_cast<word>(value);
        own = static_cast<T>(Op::apply(first, warp > 0 ? static_cast<word>(Op::apply(ahead, sum)) : sum));
        value = static_cast<T>(Op::apply(first, __shfl_sync(~0u, all, 31)));
        __syncthreads();
    }
    static __device__ word up_to_lane(word sum, int lane)
    {
#pragma unroll
        for (int distance = 1; distance < 32; distance *= 2) {
            const word other = __shfl_up_sync(~0u, sum, distance);
            sum = lane >= distance ? static_cast<word>(Op::apply(other, sum)) : sum;
        }
        return sum;
    }
};
template <class Added, class Body, class... Carried>
REX_FN void rex_block_scan(long long trips, Added added, Body body, Carried... carried)
{
    for (long long first = 0; first < trips; first += blockDim.x) {
        const long long k = first + threadIdx.x;
        (carried.begin(), ...);
        if (k < trips)
            added(k, carried.part...);
        (carried.add_up(), ...);
        if (k < trips)
            body(k, carried.own...);
    }
}
template <class Body, class... Carried>
REX_FN void rex_block_loop(long long trips, Body body, Carried... carried)
{
    for (long long k = threadIdx.x; k < trips; k += blockDim.x)
        body(k, carried.part...);
    (carried.add_up(), ...);
}

#endif
