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
