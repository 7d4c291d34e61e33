/* Loops of a block, see ../rex_block.h. Included by xomp_cuda_lib_inlined.cu. */
#pragma once

#include "../rex_block.h"

/* One thread runs all iterations. With REX_CPU_BACKWARDS, which is for tests, it runs as many as REX_CPU_BLOCK threads would
 * at a time, in the order of rex_loops.h: then results show that iterations which share a block depend on each other. */
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
        for (REX_CPU_IN_ORDER(int, i, 0, count))
            added(first + i, carried.begin(i)...);
        (carried.add_up(count), ...);
        for (REX_CPU_IN_ORDER(int, i, 0, count))
            body(first + i, carried.own[i]...);
    }
}
template <class Body, class... Carried>
static inline void rex_block_loop(long long trips, Body body, Carried... carried)
{
    for (long long first = 0; first < trips; first += REX_CPU_BLOCK) {
        const int count = trips - first < REX_CPU_BLOCK ? static_cast<int>(trips - first) : REX_CPU_BLOCK;
        for (REX_CPU_IN_ORDER(int, i, 0, count))
            body(first + i, carried.begin(i)...);
        (carried.add_up(count), ...);
    }
}
