/* Loops of a block, see ../rex_block.h. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

#include "../rex_block.h"

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
