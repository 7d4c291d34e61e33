/* Device library of rex-build: what generated kernels are written with.
 *
 * Compiled as part of each rex_lib_<stem>.cu, by nvcc (sm_70 or newer: lanes of a warp must make progress
 * independently) or, for the cpu device, by g++ with -DREX_DEVICE_CPU. A kernel pays for what it uses; in particular
 * only kernels that use the team state below have static shared memory.
 *
 * A kernel begins in one of these ways; `call` is the kernel called with its own arguments, `shape` is
 * blocks << 32 | threads, and the REX_CPU_ line is empty on CUDA:
 *
 *   worksharing  REX_CPU_GRID(call);                 or, where the launch shape must be kept on the cpu device,
 *                REX_CPU_GRID_EXACT(shape, call);
 *                REX_KERNEL_LEVEL(level);            1: the block is a team inside its parallel region,
 *                                                    0: every device thread is a team of its own.
 *                                                    omp_* queries in the kernel's own text become constants and
 *                                                    special registers; needed only where there are any.
 *                rex_kernel_state(level);            the same for functions that the kernel calls, and for
 *                                                    omp_{get_max,set_num}_threads, omp_{get,set}_schedule and
 *                                                    omp_{get,set}_max_active_levels
 *                                                    anywhere: needed only where there are any.
 *   generic      REX_CPU_TEAMS(shape, call);
 *                if (!rex_team_begin()) return;      from here on: the initial thread of each team
 *                ... rex_parallel(num_threads, REX_REGION { ... }); ...
 *                rex_team_end();                     on every way out
 *   spmd         REX_CPU_TEAMS(shape, call);
 *                rex_parallel_spmd(num_threads, REX_REGION { ... });
 *
 * num_threads 0 is "as many as there are". A region's body is a closure: on CUDA every thread has its own copy of the
 * captured variables, so variables shared by the region's threads are declared REX_TEAM_SHARED; on the cpu device it
 * captures by reference, so variables private to its threads are declared inside it.
 *
 * In a region: rex_barrier, rex_single, rex_master, rex_broadcast, rex_reduce_team*. Anywhere: REX_STRIDED_LOOP,
 * XOMP_static_sched_*, REX_CRITICAL, rex_atomic_*, rex_reduce_task, rex_fence, rex_error, omp_*. At the end of a
 * worksharing kernel: rex_reduce_grid*. By the initial threads of a generic kernel: rex_reduce_league.
 */
#ifndef XOMP_CUDA_LIB_INLINED_CU
#define XOMP_CUDA_LIB_INLINED_CU

#ifdef REX_DEVICE_CPU
#include "rex_cpu.h"
#endif

/* A kernel is a part of a function: what only the other part or a clause mentions would be reported as unused. */
#ifdef __CUDACC__
#pragma nv_diag_suppress 68, 69, 177, 550, 815, 1160
#else
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
/* Users' own is the host compiler's to tell; what is here reads and writes bytes. */
#pragma GCC diagnostic ignored "-Waddress-of-packed-member"
#pragma GCC diagnostic ignored "-Wpacked-not-aligned"
/* Of const variables, whose values are constants in C++ only. */
#pragma GCC diagnostic ignored "-Woverflow"
#endif

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stddef.h>
#include <type_traits>

/* State of the device library: each unit's own, or one for all the units that device-link joins. */
#ifndef REX_STATE
#ifdef REX_SEPARABLE
#define REX_STATE inline
#else
#define REX_STATE static
#endif
#endif

#define REX_FN static inline __device__

/* ---- OpenMP types (values and sizes of GCC's omp.h, which host code was compiled with) ------------------------- */

enum omp_sched_t : unsigned int {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = 0x80000000u
};

enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
};

enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8
};

enum omp_allocator_handle_t : uintptr_t {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8
};

enum omp_memspace_handle_t : uintptr_t {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4
};

typedef int omp_alloctrait_key_t; /* enumerations in C; device text initialises them with numbers */
typedef uintptr_t omp_alloctrait_value_t;
constexpr omp_alloctrait_key_t omp_atk_alignment = 2, omp_atk_pool_size = 4, omp_atk_fallback = 5;
constexpr uintptr_t omp_atv_default = (uintptr_t)-1, omp_atv_null_fb = 12, omp_atv_abort_fb = 13;

struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    uintptr_t value;
};

struct omp_depend_t {
    void *object[2];
};

struct omp_lock_t {
    unsigned int held;
};

struct omp_nest_lock_t {
    unsigned int held;
    int depth;
    unsigned long long owner;
};

static_assert(sizeof(omp_lock_t) == 4 && sizeof(omp_nest_lock_t) == 16, "as GCC's omp.h has them");

/* A product that is rounded before anything else happens to it; and x *= v with such a one. */
template <class T>
REX_FN T rex_product(T x, T y)
{
    if constexpr (sizeof(T) == 4)
        return __fmul_rn(x, y);
    else
        return __dmul_rn(x, y);
}
template <class T, class V>
REX_FN auto rex_multiply(T &x, V v)
{
    using Common = decltype(x * v);
    const auto next = static_cast<std::remove_cv_t<T>>(rex_product<Common>(x, v));
    x = next;
    return next;
}
#ifdef REX_ROUNDED_PRODUCTS
#define REX_PRODUCT(x, y) rex_product(x, y)
#else
#define REX_PRODUCT(x, y) ((x) * (y))
#endif

#include "rex_narrow.h"

#include "rex_complex.h"

#include "rex_vector.h"

#include "rex_builtins.h"

/* ---- operators --------------------------------------------------------------------------------------------------
 *
 * apply(x, v) is `x op v` under C's arithmetic conversions. native<T> says that there is fetch(x, v), a hardware atomic
 * on a T that returns the old value. Operators of reductions have identity<T>(), what private copies start with;
 * reductions with `-` combine with rex_add.
 */

template <class T>
constexpr bool rex_is_word = std::is_integral_v<T> && sizeof(T) >= 4;
template <class T>
constexpr bool rex_is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;

/* The type CUDA's integer atomics have for a T of 4 or 8 bytes. */
template <class T>
using rex_unsigned_word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
template <class T>
using rex_signed_word = std::conditional_t<sizeof(T) == 8, long long, int>;

template <class Word, class T>
REX_FN Word rex_bits(T value)
{
    static_assert(sizeof(T) <= sizeof(Word) && std::is_trivially_copyable_v<T>, "a scalar that fits the word");
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

/* What sums, differences, products and shifts of signed integers are computed in: overflow has a value there, whose bits
 * are those that -fwrapv asks for and CUDA's atomics make. */
template <class T, class V>
REX_FN auto rex_modularly(V value)
{
    if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
        return static_cast<std::make_unsigned_t<T>>(value);
    else
        return value;
}

template <bool IsCommutative>
struct rex_operator {
    static constexpr bool commutative = IsCommutative;
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

/* The result of a logical operation, as what it is combined with. */
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

struct rex_band : rex_combiner<-1> {
    template <class T>
    static constexpr bool native = rex_is_word<T>;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return x & v;
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        return atomicAnd(reinterpret_cast<rex_unsigned_word<T> *>(x), static_cast<rex_unsigned_word<T>>(v));
    }
};

struct rex_bor : rex_combiner<0> {
    template <class T>
    static constexpr bool native = rex_is_word<T>;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return x | v;
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        return atomicOr(reinterpret_cast<rex_unsigned_word<T> *>(x), static_cast<rex_unsigned_word<T>>(v));
    }
};

struct rex_bxor : rex_combiner<0> {
    template <class T>
    static constexpr bool native = rex_is_word<T>;
    template <class X, class V>
    REX_FN auto apply(X x, V v)
    {
        return x ^ v;
    }
    template <class T>
    REX_FN T fetch(T *x, T v)
    {
        return atomicXor(reinterpret_cast<rex_unsigned_word<T> *>(x), static_cast<rex_unsigned_word<T>>(v));
    }
};

template <class T, class Limits = std::numeric_limits<T>>
constexpr T rex_largest = Limits::has_infinity ? Limits::infinity() : Limits::max();
template <class T, class Limits = std::numeric_limits<T>>
constexpr T rex_smallest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
template <>
constexpr rex_half rex_largest<rex_half> = rex_half::of(0x7c00);
template <>
constexpr rex_half rex_smallest<rex_half> = rex_half::of(0xfc00);
template <>
constexpr rex_bfloat rex_largest<rex_bfloat> = rex_bfloat::of(0x7f80);
template <>
constexpr rex_bfloat rex_smallest<rex_bfloat> = rex_bfloat::of(0xff80);

/* Compares in the operands' common type and, as OpenMP's combiners do, keeps x when v is a NaN. Hardware does it for
 * integers only. The bits of two floating-point numbers are ordered like signed integers if one is not negative, and
 * opposite to unsigned integers if one is negative. */
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
        const auto a = static_cast<std::common_type_t<X, V>>(x), b = static_cast<std::common_type_t<X, V>>(v);
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
            using Word = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
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

/* x = x op v where -fwrapv makes overflow wrap around; the new value, or the one before. */
template <class Op, class T, class V>
REX_FN auto rex_wrapped(T &x, V v)
{
    const auto next = static_cast<std::remove_cv_t<T>>(Op::apply(static_cast<std::remove_cv_t<T>>(x), v));
    x = next;
    return next;
}
template <class Op, class T, class V>
REX_FN auto rex_wrapped_after(T &x, V v)
{
    const std::remove_cv_t<T> old = x;
    x = static_cast<std::remove_cv_t<T>>(Op::apply(old, v));
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

/* ---- atomics ---------------------------------------------------------------------------------------------------- */

REX_FN void rex_fence() { __threadfence(); }

/* Structures, unions and complex numbers, where they are atomic, are read and written as the word of their size. */
template <class T>
constexpr bool rex_is_aggregate = std::is_class_v<T> || std::is_union_v<T> || rex_is_complex<T>;
template <class T>
using rex_word_of_size = std::conditional_t<sizeof(T) == 1, unsigned char,
    std::conditional_t<sizeof(T) == 2, unsigned short, rex_unsigned_word<T>>>;

template <class T>
REX_FN T rex_atomic_read(const volatile T *x)
{
    if constexpr (rex_is_aggregate<T>)
        return rex_from_bits<T>(*reinterpret_cast<const volatile rex_word_of_size<T> *>(x));
    else
        return *x;
}

template <class T, class V>
REX_FN void rex_atomic_write(volatile T *x, V v)
{
    if constexpr (rex_is_aggregate<T>) {
        using Word = rex_word_of_size<T>;
        *reinterpret_cast<volatile Word *>(x) = rex_bits<Word>(static_cast<T>(v));
    } else
        *x = static_cast<T>(v);
}

/* Carries out an operation on *x by `atomic(x)` or, where x is on the calling thread's stack and hardware has no
 * atomics, by `plain(x)`. The test is free when the compiler knows where x points. The conversions tell it the state
 * space; they are assembly, as nvcc 13 sees through its own ones and warns of atomics on the stack that it then removes. */
#ifdef REX_DEVICE_CPU
template <class T, class Atomic, class Plain>
REX_FN T rex_atomically(T *x, Atomic atomic, Plain)
{
    return atomic(x);
}
#else
template <class T, class Atomic, class Plain>
REX_FN T rex_atomically(T *x, Atomic atomic, Plain plain)
{
    size_t place;
    if (__isGlobal(x)) {
        asm("cvta.to.global.u64 %0, %1;" : "=l"(place) : "l"(x));
        return atomic(static_cast<T *>(__cvta_global_to_generic(place)));
    }
    if (__isShared(x)) {
        asm("cvta.to.shared.u64 %0, %1;" : "=l"(place) : "l"(x));
        return atomic(static_cast<T *>(__cvta_shared_to_generic(place)));
    }
    return plain(x);
}
#endif

template <class T>
REX_FN bool rex_same_bits(T a, T b)
{
    return rex_bits<rex_unsigned_word<T>>(a) == rex_bits<rex_unsigned_word<T>>(b);
}

/* A scalar of one byte is replaced within the aligned 2-byte word that holds it. */
template <class T>
REX_FN T rex_hardware_compare_and_swap(T *x, T expected, T desired)
{
    using Word = std::conditional_t<sizeof(T) < 4, unsigned short, rex_unsigned_word<T>>;
    const Word from = rex_bits<Word>(expected), to = rex_bits<Word>(desired);
    if constexpr (sizeof(T) > 1) {
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

template <class T>
struct rex_transition {
    T before, after;
};

/* x = x op v for any operator and types. */
template <class Op, class T, class V>
REX_FN rex_transition<T> rex_atomic_transition(T *x, V v)
{
    T old = rex_atomic_read(x);
    for (;;) {
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
    constexpr bool is_ordering = std::is_same_v<Op, rex_min> || std::is_same_v<Op, rex_max>;
    if constexpr (std::is_integral_v<T> && std::is_integral_v<V> && !is_ordering)
        return true; /* these operators commute with reduction modulo 2^n */
    else if constexpr (!std::is_arithmetic_v<V>)
        return false;
    else if constexpr (std::is_same_v<std::common_type_t<T, V>, T>)
        return true;
    else if constexpr (std::is_same_v<T, float> && std::is_same_v<V, double>)
        return v == static_cast<double>(static_cast<float>(v)); /* rounding to double first is then harmless */
    else
        return false;
}

/* Guards updates of what no atomic operation is wide enough for. */
[[maybe_unused]] REX_STATE __device__ unsigned int rex_wide_lock;
REX_FN void rex_acquire(unsigned int *lock);
REX_FN void rex_release(unsigned int *lock);

template <class Op, class T, class V>
REX_FN T rex_locked_update(T *x, V v)
{
    rex_acquire(&rex_wide_lock);
    __threadfence();
    const T old = *x;
    *x = static_cast<T>(Op::apply(old, v));
    __threadfence();
    rex_release(&rex_wide_lock);
    return old;
}

/* x = x op v; returns the old value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update(T *x, V v)
{
    if constexpr (sizeof(T) > 8 || rex_is_complex<T>)
        return rex_locked_update<Op>(x, v);
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

/* x = x op v; returns the new value. Computing it again from the old one is exact for integers only: a compiler may
 * contract a floating-point operation into a neighbouring one. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_new(T *x, V v)
{
    if constexpr (Op::template native<T> && std::is_integral_v<T>)
        return static_cast<T>(Op::apply(rex_atomic_update<Op>(x, v), v));
    else
        return rex_atomic_transition<Op>(x, v).after;
}

/* x = v op x; returns the old value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_reversed(T *x, V v)
{
    return rex_atomic_update<std::conditional_t<Op::commutative, Op, rex_reversed<Op>>>(x, v);
}

/* x = v op x; returns the new value. */
template <class Op, class T, class V>
REX_FN T rex_atomic_update_reversed_new(T *x, V v)
{
    return rex_atomic_update_new<std::conditional_t<Op::commutative, Op, rex_reversed<Op>>>(x, v);
}

template <class T, class V>
REX_FN T rex_atomic_exchange(T *x, V v)
{
    const T desired = static_cast<T>(v);
    if constexpr (sizeof(T) >= 4) {
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

/* C11 atomic objects, and gcc's builtins: every memory order is the strictest one. */
template <class Access>
REX_FN auto rex_c_fenced(Access access)
{
    __threadfence();
    const auto value = access();
    __threadfence();
    return value;
}

template <class Op, class T, class V>
REX_FN T rex_c_fetch_then(volatile T *x, V v)
{
    return rex_c_fenced([=] {
        if constexpr (rex_is_complex<T>)
            return rex_atomic_transition<Op>(const_cast<T *>(x), v).before;
        else
            return rex_atomic_update<Op>(const_cast<T *>(x), v);
    });
}

template <class Op, class T, class V>
REX_FN T rex_c_then_fetch(volatile T *x, V v)
{
    return rex_c_fenced([=] { return rex_atomic_update_new<Op>(const_cast<T *>(x), v); });
}

template <class T>
REX_FN T rex_c_load(const volatile T *x)
{
    const T value = rex_atomic_read(x);
    __threadfence();
    return value;
}

template <class T, class V>
REX_FN T rex_c_store(volatile T *x, V v)
{
    const T value = static_cast<T>(v);
    return rex_c_fenced([=] {
        rex_atomic_write(x, value);
        return value;
    });
}

template <class T>
struct rex_comparison {
    T before, after;
    bool equal;
};

/* a == b as C compares them. */
template <class A, class B>
REX_FN bool rex_equal(A a, B b)
{
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        using Common = decltype(a + b);
        return static_cast<Common>(a) == static_cast<Common>(b);
    } else {
        return a == b;
    }
}

/* if (*x == expected) *x = desired */
template <class T, class E, class D>
REX_FN rex_comparison<T> rex_atomic_compare(T *x, E expected, D desired)
{
    T old = rex_atomic_read(x);
    while (rex_equal(old, expected)) {
        const T seen = rex_compare_and_swap(x, old, static_cast<T>(desired));
        if (rex_same_bits(seen, old))
            return {old, static_cast<T>(desired), true};
        old = seen;
    }
    return {old, old, false};
}

/* ---- teams, parallel regions, barriers ------------------------------------------------------------------------- */

/* Of a task: the last omp_set_num_threads, or 0, the last omp_set_schedule, and how many levels of regions may have
 * several threads: 0 or 1. */
struct rex_settings {
    int num_threads;
    omp_sched_t schedule;
    int chunk;
    int active_levels;
};

/* What a team's threads agree on. In the team's parallel region level is 1. Regions inside it run on the thread that
 * meets them; rex_depth() counts those of the calling thread. */
struct rex_team_state {
    int level;          /* 0 or 1 */
    int region_threads; /* threads at that level */
    int thread_limit;   /* threads a region may have; 1 where every device thread is a team */
    rex_settings settings; /* that its regions begin with */
#ifdef REX_DEVICE_CPU
    const void **broadcast; /* where a thread of the current region leaves what the others are to read */
#endif
};

#ifdef REX_DEVICE_CPU

REX_STATE thread_local rex_team_state rex_team;
REX_STATE thread_local int rex_nested_regions;

REX_FN int &rex_depth() { return rex_nested_regions; }

#else

constexpr unsigned int REX_BLOCK_MAX = 1024; /* threads of a block, on every architecture */
constexpr unsigned int REX_CLOSURE_MAX = 1024;
constexpr unsigned int REX_WARP = 32;

/* The parallel region that a generic kernel's initial thread has the other threads run. */
struct rex_region {
    void (*run)(const void *closure); /* null: the kernel is at its end */
    alignas(16) unsigned char closure[REX_CLOSURE_MAX];
};

struct rex_software_barrier {
    unsigned int arrived;
    volatile unsigned int phase;
};

REX_STATE __shared__ rex_team_state rex_team;
REX_STATE __shared__ unsigned short rex_nested_regions[REX_BLOCK_MAX];
REX_STATE __shared__ rex_region rex_current_region;
REX_STATE __shared__ rex_software_barrier rex_region_barrier;

REX_FN unsigned short &rex_depth() { return rex_nested_regions[threadIdx.x]; }

#ifdef REX_OWN_SETTINGS
REX_STATE __shared__ rex_settings rex_thread_settings[REX_BLOCK_MAX];
#endif

/* All threads of the block, not necessarily converged or at the same place. Orders memory like __syncthreads(). */
REX_FN void rex_block_barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }

#endif

/* Those of the calling thread's task. Without REX_OWN_SETTINGS, where nothing in a region changes them: of the team. */
REX_FN rex_settings &rex_current_settings()
{
#if defined(REX_OWN_SETTINGS) && !defined(REX_DEVICE_CPU)
    return rex_thread_settings[threadIdx.x];
#else
    return rex_team.settings;
#endif
}

/* Makes the settings of the calling thread's task those that the team's regions begin with. */
REX_FN void rex_give_settings()
{
#ifdef REX_OWN_SETTINGS
    rex_team.settings = rex_current_settings();
#endif
}

/* The other way round. */
REX_FN void rex_take_settings()
{
#ifdef REX_OWN_SETTINGS
    rex_current_settings() = rex_team.settings;
#endif
}

/* Lets the rest of a block have settings of its own, at first those of what is around it. */
struct rex_own_settings {
#ifdef REX_OWN_SETTINGS
    const rex_settings around;
    __device__ rex_own_settings() : around(rex_current_settings()) {}
    __device__ ~rex_own_settings() { rex_current_settings() = around; }
#endif
};

REX_FN bool rex_in_team_region() { return rex_team.level == 1 && rex_depth() == 0; }

REX_FN void rex_team_reset(int level, int region_threads, int thread_limit)
{
    rex_team.level = level;
    rex_team.region_threads = region_threads;
    rex_team.thread_limit = thread_limit;
    rex_team.settings = {0, omp_sched_static, 0, 1};
    rex_take_settings();
}

/* Threads of a region that a team's initial thread starts. */
REX_FN int rex_region_size(int requested, int available)
{
#ifdef REX_OWN_SETTINGS
    if (rex_current_settings().active_levels == 0)
        return 1;
#endif
    const int set = rex_current_settings().num_threads;
    const int wanted = requested > 0 ? requested : set > 0 ? set : available;
    return wanted < rex_team.thread_limit ? wanted : rex_team.thread_limit;
}

/* A region of one thread: the calling one. */
template <class Body>
REX_FN void rex_serial_region(Body body)
{
    [[maybe_unused]] const rex_own_settings settings{};
    ++rex_depth();
    body();
    --rex_depth();
}

#ifdef REX_DEVICE_CPU

/* Here all variables of the sequential part are shared; what is declared so elsewhere would not be on a GPU. */
#define REX_TEAM_SHARED rex_check_sequential();
#define REX_OUTLINED
#define REX_REGION [&]()

/* The initial thread runs the sequential part alone, and its regions on all host threads. */
#define REX_TEAM_TOGETHER(most)                                                                                        \
    [[maybe_unused]] unsigned int rex_turn = 0;                                                                        \
    rex_team_begin()
#define REX_TEAM_TOGETHER_STATE(most) REX_TEAM_TOGETHER(most)
#define REX_TEAM_LOOP REX_STRIDED_LOOP
#define REX_TEAM_LOOP_32 REX_STRIDED_LOOP
#define REX_REGION_LOOP(iv, trip) REX_STRIDED_LOOP(iv, threadIdx.x, rex_region_threads(), trip)
#define REX_REGION_LOOP_32 REX_REGION_LOOP
#define REX_REGION_ONCE REX_REGION_LOOP
#define REX_TEAM_REGION                                                                                                \
    for (rex_cpu_region rex_region; rex_region.inside; rex_region.inside = false)                                      \
        _Pragma("omp parallel num_threads(rex_region.threads)")                                                        \
        for (rex_cpu_member rex_member(rex_region); rex_member.inside; rex_member.inside = false)
REX_FN bool rex_team_first() { return true; }
REX_FN void rex_team_wait() {}
REX_FN int rex_region_threads() { return rex_team.region_threads; }

REX_FN void rex_kernel_state(int level)
{
    const int threads = level == 0 ? 1 : static_cast<int>(blockDim.x);
    rex_nested_regions = 0;
    rex_team_reset(level, threads, threads);
}

REX_FN bool rex_team_begin()
{
    rex_nested_regions = 0;
    rex_team_reset(0, 1, static_cast<int>(blockDim.x));
    return true;
}

REX_FN void rex_team_end() {}

/* A parallel region of the team whose initial thread makes this, and then runs as its member. */
struct rex_cpu_region {
    const int threads;
    const rex_team_state team = rex_team;
    const void *broadcast = nullptr;
    const rex_dim3 grid = gridDim, block = blockDim, index = blockIdx;
    /* The program may have launched the kernel from inside a parallel region of its own. */
    const int levels = rex_host_get_max_active_levels(), needed = rex_host_get_active_level() + 1;
    bool inside = true;
    explicit rex_cpu_region(int num_threads = 0) : threads(rex_region_size(num_threads, rex_cpu_threads()))
    {
        if (levels < needed)
            rex_host_set_max_active_levels(needed);
    }
    ~rex_cpu_region()
    {
        if (levels < needed)
            rex_host_set_max_active_levels(levels);
        threadIdx.x = 0;
        rex_team = team;
    }
    rex_cpu_region(const rex_cpu_region &) = delete;
};

/* One host thread in the region. */
struct rex_cpu_member {
    bool inside = true;
    explicit rex_cpu_member(rex_cpu_region &region)
    {
        rex_cpu_place(region.grid.x, region.block.x, region.index.x,
                      static_cast<unsigned int>(rex_host_get_thread_num()));
        rex_nested_regions = 0;
        rex_team = region.team;
        rex_team.level = 1;
        rex_team.region_threads = rex_host_get_num_threads();
        rex_team.broadcast = &region.broadcast;
    }
};

template <class Body>
REX_FN void rex_parallel(int num_threads, Body body)
{
    const int threads = rex_region_size(num_threads, rex_cpu_threads());
    if (rex_team.level + rex_depth() > 0 || threads == 1) {
        rex_serial_region(body);
        return;
    }
    rex_cpu_region region(threads);
#pragma omp parallel num_threads(threads)
    {
        rex_cpu_member member(region);
        body();
    }
}

template <class Body>
REX_FN void rex_parallel_spmd(int num_threads, Body body)
{
    rex_team_begin();
    rex_parallel(num_threads, body);
}

REX_FN void rex_barrier()
{
    if (rex_in_team_region() && rex_team.region_threads > 1) {
#pragma omp barrier
    }
}

#else

#define REX_CPU_GRID(call)
#define REX_CPU_GRID_EXACT(shape, call)
#define REX_CPU_TEAMS(shape, call)
#define REX_TEAM_SHARED __shared__
#define REX_OUTLINED __noinline__ /* a function that would make kernels too large for nvcc */
#define REX_REGION [=]() mutable
#define REX_STRIDED_LOOP(iv, first, step, trip)                                                                        \
    long long iv = (first);                                                                                            \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += (step)
/* The loops of kernels whose grid has a thread for every iteration. */
#define REX_COVERED_LOOP(iv, trip)                                                                                     \
    int iv = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);                                                  \
    iv < (trip);                                                                                                       \
    iv = (trip)
#define REX_COVERED_LOOP_64(iv, trip)                                                                                  \
    long long iv = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;                                      \
    iv < (trip);                                                                                                       \
    iv = (trip)
/* A grid laid over a space of rows x columns; what `tiling` holds says rex_kmp.h. */
#define REX_TILE_ROWS(row, rows, columns, tiling)                                                                      \
    int row = rex_place_in_tiles(columns, tiling).y;                                                                   \
    row < (rows);                                                                                                      \
    row = (rows)
#define REX_TILE_COLUMNS(column, row, rows, columns, tiling)                                                           \
    int column = rex_place_in_tiles(columns, tiling).x;                                                                \
    column < (columns);                                                                                                \
    column = (columns)

struct rex_tile_place {
    int y, x;
};

/* Of the calling thread. No branch: in tiles, what comes first is all there is to compute. */
REX_FN rex_tile_place rex_place_in_tiles(int columns, unsigned long long tiling)
{
    const int shift = static_cast<int>(tiling >> 32); /* its sign is REX_IN_TILES */
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (shift >= 0) {
        row = (__umulhi(column, static_cast<unsigned int>(tiling)) + column) >> shift;
        column -= row * static_cast<unsigned int>(columns);
    }
    return {static_cast<int>(row), static_cast<int>(column)};
}

/* Before such a loop of which a thread runs about one iteration: unrolled it would only be longer. */
#define REX_ONE_ITERATION _Pragma("unroll 1")

template <class F>
REX_FN F rex_own_function(F f)
{
    return f;
}

/* Called by all threads of the block. */
REX_FN void rex_kernel_state(int level)
{
    const int threads = level == 0 ? 1 : static_cast<int>(blockDim.x);
    rex_depth() = 0;
    if (threadIdx.x == 0)
        rex_team_reset(level, threads, threads);
    rex_block_barrier();
    rex_take_settings();
}

template <class Body>
static __device__ void rex_run_closure(const void *closure)
{
    Body body = *static_cast<const Body *>(closure);
    rex_take_settings();
    body();
}

/* Runs the published region on as many threads as it has. All threads of the block come here, the initial thread from
 * rex_parallel and the others from rex_team_begin, so that a region's warps run one copy of its code in step. False at
 * the end of the kernel. */
[[maybe_unused]] static __device__ __noinline__ bool rex_join_region()
{
    rex_block_barrier();
    __syncwarp();
    if (!rex_current_region.run)
        return false;
    if (static_cast<int>(threadIdx.x) < rex_team.region_threads)
        rex_current_region.run(rex_current_region.closure);
    rex_block_barrier();
    return true;
}

/* All threads of the block run the sequential part, and parallel regions where they come to them. nvcc does not take from
 * __launch_bounds__ that a block has at most so many. */
#define REX_TEAM_TOGETHER(most)                                                                                        \
    __builtin_assume(threadIdx.x < (most));                                                                            \
    [[maybe_unused]] unsigned int rex_turn = 0
#define REX_TEAM_TOGETHER_STATE(most)                                                                                  \
    REX_TEAM_TOGETHER(most);                                                                                           \
    rex_team_together()
#define REX_TEAM_REGION
/* A loop whose iterations a team runs one after the other, none before all threads have left the one before; with at most
 * 2^31 iterations, in 32 bits. */
#define REX_TEAM_LOOP(iv, first, step, trip)                                                                           \
    long long iv = (first);                                                                                            \
    iv < static_cast<long long>(trip);                                                                                 \
    iv += (step), rex_team_next(iv < static_cast<long long>(trip))
#define REX_TEAM_LOOP_32(iv, first, step, trip)                                                                        \
    unsigned int iv = (first);                                                                                         \
    iv < static_cast<unsigned int>(trip);                                                                              \
    iv += (step), rex_team_next(iv < static_cast<unsigned int>(trip))
/* A region's share of a loop; the same. */
#define REX_REGION_LOOP(iv, trip) REX_STRIDED_LOOP(iv, threadIdx.x, blockDim.x, trip)
#define REX_REGION_LOOP_32(iv, trip)                                                                                   \
    unsigned int iv = threadIdx.x;                                                                                     \
    iv < static_cast<unsigned int>(trip);                                                                              \
    iv += blockDim.x
/* ... of no more iterations than the region has threads. */
#define REX_REGION_ONCE(iv, trip)                                                                                      \
    int iv = static_cast<int>(threadIdx.x);                                                                            \
    iv < static_cast<int>(trip);                                                                                       \
    iv = static_cast<int>(trip)
REX_FN bool rex_team_first() { return threadIdx.x == 0; }
REX_FN void rex_team_wait() { __syncthreads(); }
REX_FN int rex_region_threads() { return static_cast<int>(blockDim.x); }
REX_FN void rex_team_next(bool more)
{
    if (more)
        __syncthreads();
}
REX_FN void rex_team_together()
{
    rex_depth() = 0;
    if (threadIdx.x == 0) {
        const int threads = static_cast<int>(blockDim.x);
        rex_team_reset(1, threads, threads);
        rex_region_barrier.arrived = 0;
        rex_region_barrier.phase = 0;
    }
    __syncthreads();
    rex_take_settings();
}

/* True on the initial thread. The others serve its parallel regions and return false when it has come to the end. */
REX_FN bool rex_team_begin()
{
    rex_depth() = 0;
    if (threadIdx.x != 0) {
        while (rex_join_region()) {
        }
        return false;
    }
    rex_team_reset(0, 1, static_cast<int>(blockDim.x));
    rex_region_barrier.arrived = 0;
    rex_region_barrier.phase = 0;
    return true;
}

REX_FN void rex_team_end()
{
    rex_current_region.run = nullptr;
    rex_join_region();
}

template <class Body>
REX_FN void rex_parallel(int num_threads, Body body)
{
    static_assert(std::is_trivially_copyable_v<Body>, "a parallel region captures plain C values");
    static_assert(sizeof(Body) <= REX_CLOSURE_MAX && alignof(Body) <= 16, "a parallel region captures too much");
    const int threads = rex_region_size(num_threads, rex_team.thread_limit);
    if (rex_team.level + rex_depth() > 0 || threads == 1) {
        rex_serial_region(body);
        return;
    }
    new (rex_current_region.closure) Body(body);
    rex_current_region.run = rex_run_closure<Body>;
    rex_team.level = 1;
    rex_team.region_threads = threads;
    rex_give_settings();
    rex_join_region();
    rex_team.level = 0;
    rex_team.region_threads = 1;
    rex_take_settings();
}

/* Called by all threads of the block; those beyond num_threads have no part in the region. */
template <class Body>
REX_FN void rex_parallel_spmd(int num_threads, Body body)
{
    rex_depth() = 0;
    if (threadIdx.x == 0) {
        rex_team_reset(1, 1, static_cast<int>(blockDim.x));
        rex_team.region_threads = rex_region_size(num_threads, rex_team.thread_limit);
        rex_region_barrier.arrived = 0;
        rex_region_barrier.phase = 0;
    }
    rex_block_barrier();
    rex_take_settings();
    if (static_cast<int>(threadIdx.x) < rex_team.region_threads)
        body();
}

/* Of the current parallel region. Hardware barriers count whole warps, so regions that end inside a warp have a
 * barrier in shared memory. */
REX_FN void rex_barrier()
{
    if (!rex_in_team_region())
        return;
    const unsigned int threads = rex_team.region_threads;
    if (threads == blockDim.x) {
        rex_block_barrier();
    } else if (threads % REX_WARP == 0) {
        asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
    } else {
        const unsigned int phase = rex_region_barrier.phase;
        __threadfence_block();
        if (atomicAdd(&rex_region_barrier.arrived, 1u) == threads - 1) {
            rex_region_barrier.arrived = 0;
            __threadfence_block();
            rex_region_barrier.phase = phase + 1;
        } else {
            while (rex_region_barrier.phase == phase)
                __nanosleep(20);
        }
        __threadfence_block();
    }
}

#endif

/* ---- OpenMP queries (OpenMP 5.2 chapter 18; values as in LLVM's device runtime) -------------------------------- */

REX_FN long long rex_device_thread_num() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }

/* One device thread is a team of its own where the limit is 1; where blocks have one thread both readings agree. */
REX_FN int omp_get_team_num()
{
    return static_cast<int>(rex_team.thread_limit == 1 ? rex_device_thread_num() : blockIdx.x);
}
REX_FN int omp_get_num_teams()
{
    return static_cast<int>(rex_team.thread_limit == 1 ? gridDim.x * blockDim.x : gridDim.x);
}
REX_FN int omp_get_thread_num() { return rex_in_team_region() ? static_cast<int>(threadIdx.x) : 0; }
REX_FN int omp_get_num_threads() { return rex_in_team_region() ? rex_team.region_threads : 1; }
REX_FN int omp_get_thread_limit() { return rex_team.thread_limit; }
REX_FN int omp_get_max_threads()
{
    const int set = rex_current_settings().num_threads;
    return set > 0 ? set : rex_team.thread_limit;
}
REX_FN int omp_get_level() { return rex_team.level + rex_depth(); }
REX_FN int omp_get_active_level() { return rex_team.level == 1 && rex_team.region_threads > 1 ? 1 : 0; }
REX_FN int omp_in_parallel() { return omp_get_active_level(); }
REX_FN int omp_get_ancestor_thread_num(int level)
{
    if (level < 0 || level > omp_get_level())
        return -1;
    return level == 1 && rex_team.level == 1 ? static_cast<int>(threadIdx.x) : 0;
}
REX_FN int omp_get_team_size(int level)
{
    if (level < 0 || level > omp_get_level())
        return -1;
    return level == 1 && rex_team.level == 1 ? rex_team.region_threads : 1;
}

/* The queries of worksharing kernels, without state: REX_KERNEL_LEVEL makes them hide the functions above. */

namespace rex_level_0 {
REX_FN int omp_get_team_num() { return static_cast<int>(rex_device_thread_num()); }
REX_FN int omp_get_num_teams() { return static_cast<int>(gridDim.x * blockDim.x); }
REX_FN int omp_get_thread_num() { return 0; }
REX_FN int omp_get_num_threads() { return 1; }
REX_FN int omp_get_thread_limit() { return 1; }
REX_FN int omp_get_level() { return 0; }
REX_FN int omp_get_active_level() { return 0; }
REX_FN int omp_in_parallel() { return 0; }
REX_FN int omp_get_ancestor_thread_num(int level) { return level == 0 ? 0 : -1; }
REX_FN int omp_get_team_size(int level) { return level == 0 ? 1 : -1; }
} // namespace rex_level_0

namespace rex_level_1 {
REX_FN int omp_get_team_num() { return static_cast<int>(blockIdx.x); }
REX_FN int omp_get_num_teams() { return static_cast<int>(gridDim.x); }
REX_FN int omp_get_thread_num() { return static_cast<int>(threadIdx.x); }
REX_FN int omp_get_num_threads() { return static_cast<int>(blockDim.x); }
REX_FN int omp_get_thread_limit() { return static_cast<int>(blockDim.x); }
REX_FN int omp_get_level() { return 1; }
REX_FN int omp_get_active_level() { return blockDim.x > 1 ? 1 : 0; }
REX_FN int omp_in_parallel() { return omp_get_active_level(); }
REX_FN int omp_get_ancestor_thread_num(int level)
{
    return level == 1 ? static_cast<int>(threadIdx.x) : level == 0 ? 0 : -1;
}
REX_FN int omp_get_team_size(int level) { return level == 1 ? static_cast<int>(blockDim.x) : level == 0 ? 1 : -1; }
} // namespace rex_level_1

#define REX_KERNEL_LEVEL(level)                                                                                        \
    using rex_level_##level::omp_get_team_num, rex_level_##level::omp_get_num_teams,                                   \
        rex_level_##level::omp_get_thread_num, rex_level_##level::omp_get_num_threads,                                 \
        rex_level_##level::omp_get_thread_limit, rex_level_##level::omp_get_level,                                     \
        rex_level_##level::omp_get_active_level, rex_level_##level::omp_in_parallel,                                   \
        rex_level_##level::omp_get_ancestor_thread_num, rex_level_##level::omp_get_team_size

/* In kernels of units that do not have REX_OWN_SETTINGS, what functions of others set in a region is lost. */
REX_FN bool rex_keeps_settings()
{
#ifdef REX_OWN_SETTINGS
    return true;
#else
    return omp_get_level() == 0;
#endif
}

REX_FN void omp_set_num_threads(int num_threads)
{
    if (rex_keeps_settings())
        rex_current_settings().num_threads = num_threads;
}
REX_FN void omp_set_schedule(omp_sched_t kind, int chunk)
{
    if (rex_keeps_settings()) {
        rex_current_settings().schedule = kind;
        rex_current_settings().chunk = chunk;
    }
}
/* The chunks of schedule(runtime), `even` where none are asked for, or where nobody can tell which threads get them. */
REX_FN long long rex_runtime_chunk(long long even)
{
    const rex_settings settings = rex_current_settings();
    return (settings.schedule & ~omp_sched_monotonic) == omp_sched_static && settings.chunk > 0 ? settings.chunk : even;
}

REX_FN void omp_set_max_active_levels(int levels)
{
    if (rex_keeps_settings() && levels >= 0)
        rex_current_settings().active_levels = levels > 0;
}
REX_FN int omp_get_max_active_levels()
{
#ifdef REX_OWN_SETTINGS
    return rex_current_settings().active_levels;
#else
    return 1;
#endif
}
REX_FN int omp_get_nested() { return 0; }
REX_FN void omp_set_nested(int) { omp_set_max_active_levels(1); }
REX_FN void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = rex_current_settings().schedule;
    *chunk = rex_current_settings().chunk;
}

/* What only the host knows. Kernels with such queries begin by setting it, on every thread: the device's copy is the
 * same for all of them. */
struct rex_device_facts {
    int num_devices, device_num, num_procs;
};
REX_STATE __device__ rex_device_facts rex_facts;

REX_FN void rex_set_device_facts(int num_devices, int device_num, int num_procs)
{
    rex_facts.num_devices = num_devices;
    rex_facts.device_num = device_num;
    rex_facts.num_procs = num_procs;
}
REX_FN int omp_get_num_devices() { return rex_facts.num_devices; }
REX_FN int omp_get_device_num() { return rex_facts.device_num; }
REX_FN int omp_get_num_procs() { return rex_facts.num_procs; }

/* The limits of teams, of their number and of the threads in each, as set on the device; 0: nothing was set. They are a
 * copy of the host's rex_team_limits, which launches keep to. Kernels that call these functions begin by setting the
 * pointer. */
REX_STATE __device__ int *rex_limits;

REX_FN int omp_get_max_teams() { return rex_limits ? rex_limits[0] : 0; }
REX_FN int omp_get_teams_thread_limit() { return rex_limits ? rex_limits[1] : 0; }
REX_FN void rex_set_limit(int which, int limit)
{
    if (rex_limits && limit >= 0)
        rex_limits[which] = limit;
}
REX_FN void omp_set_num_teams(int teams) { rex_set_limit(0, teams); }
REX_FN void omp_set_teams_thread_limit(int threads) { rex_set_limit(1, threads); }

REX_FN int omp_is_initial_device() { return 0; }

/* Whether this is code for architecture sm_<number>, for context selectors with `isa`. */
REX_FN constexpr int rex_isa(int number)
{
#ifdef __CUDA_ARCH__
    return number * 10 == __CUDA_ARCH__;
#else
    return 0;
#endif
}
REX_FN int omp_get_initial_device() { return rex_facts.num_devices; }
REX_FN int omp_get_default_device() { return -1; }
REX_FN void omp_set_default_device(int) {}
REX_FN int omp_get_dynamic() { return 0; }
REX_FN void omp_set_dynamic(int) {}
REX_FN int omp_get_supported_active_levels() { return 1; }
REX_FN int omp_get_cancellation() { return 0; }
REX_FN omp_proc_bind_t omp_get_proc_bind() { return omp_proc_bind_false; }
REX_FN int omp_get_num_places() { return 0; }
REX_FN int omp_get_place_num_procs(int) { return 0; }
REX_FN void omp_get_place_proc_ids(int, int *) {}
REX_FN int omp_get_place_num() { return 0; }
REX_FN int omp_get_partition_num_places() { return 0; }
REX_FN void omp_get_partition_place_nums(int *) {}
REX_FN int omp_get_max_task_priority() { return 0; }

/* A task runs where it is met, so that the text around a call says whether it is in one, or in a final one. */
REX_FN int omp_in_final() { return 0; }
REX_FN int omp_in_explicit_task() { return 0; }
namespace rex_task {
REX_FN int omp_in_explicit_task() { return 1; }
} // namespace rex_task
namespace rex_no_task {
REX_FN int omp_in_explicit_task() { return 0; }
} // namespace rex_no_task

REX_FN double omp_get_wtime()
{
#ifdef REX_DEVICE_CPU
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
#else
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    /* Rounded: fused with a caller's subtraction, the product could make an interval negative. */
    return __dmul_rn(static_cast<double>(nanoseconds), 1e-9);
#endif
}
REX_FN double omp_get_wtick() { return 1e-9; }

/* Every allocator is the device's heap. The handle of one that has traits says what they ask for: bit 63 is set; bits 56
 * and 57 are the fallback (1 null, 2 abort), bits 48 to 53 the binary logarithm of the alignment, and the lower 48 the
 * size of the pool, which is the most that one allocation may take. The host makes such handles for uses_allocators. */
REX_FN omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int count, const omp_alloctrait_t *traits)
{
    const uintptr_t all = ((uintptr_t)1 << 48) - 1;
    uintptr_t alignment = 0, fallback = 0, pool = all;
    for (int i = 0; i < count; ++i) {
        const uintptr_t value = traits[i].value;
        if (value == omp_atv_default)
            continue;
        if (traits[i].key == omp_atk_alignment)
            while ((uintptr_t)1 << alignment < value && alignment < 47)
                ++alignment;
        if (traits[i].key == omp_atk_pool_size)
            pool = value < all ? value : all;
        if (traits[i].key == omp_atk_fallback)
            fallback = value == omp_atv_null_fb ? 1 : value == omp_atv_abort_fb ? 2 : 0;
    }
    return (omp_allocator_handle_t)((uintptr_t)1 << 63 | fallback << 56 | alignment << 48 | pool);
}
REX_FN void omp_destroy_allocator(omp_allocator_handle_t) {}

/* What malloc returned and the size in bytes stand right before the memory. */
struct rex_allocation {
    void *base;
    size_t size;
};

REX_FN void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator)
{
    const uintptr_t all = ((uintptr_t)1 << 48) - 1, traits = (uintptr_t)allocator;
    const bool has_traits = traits >> 63 != 0;
    const uintptr_t fallback = has_traits ? traits >> 56 & 3 : 0;
    if (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return NULL;
    if (has_traits && (size_t)1 << (traits >> 48 & 63) > alignment)
        alignment = (size_t)1 << (traits >> 48 & 63);
    const size_t room = sizeof(rex_allocation) + (alignment > 16 ? alignment : 16);
    char *base = NULL;
    if (size <= (size_t)-1 - room && (fallback == 0 || (traits & all) == all || size <= (traits & all)))
        base = (char *)malloc(size + room);
    if (base == NULL) {
        if (fallback == 2)
#ifdef REX_DEVICE_CPU
            abort();
#else
            __trap();
#endif
        return NULL;
    }
    const uintptr_t mask = (uintptr_t)(alignment > 16 ? alignment : 16) - 1;
    char *memory = (char *)(((uintptr_t)(base + sizeof(rex_allocation)) + mask) & ~mask);
    ((rex_allocation *)memory)[-1] = {base, size};
    return memory;
}

REX_FN void *omp_alloc(size_t size, omp_allocator_handle_t allocator)
{
    return omp_aligned_alloc(1, size, allocator);
}

REX_FN void *omp_aligned_calloc(size_t alignment, size_t count, size_t size, omp_allocator_handle_t allocator)
{
    if (size != 0 && count > (size_t)-1 / size)
        return NULL;
    void *memory = omp_aligned_alloc(alignment, count * size, allocator);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

REX_FN void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator)
{
    return omp_aligned_calloc(1, count, size, allocator);
}

REX_FN void omp_free(void *memory, omp_allocator_handle_t)
{
    if (memory != NULL)
        free(((rex_allocation *)memory)[-1].base);
}

REX_FN void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t to, omp_allocator_handle_t from)
{
    void *fresh = size == 0 ? NULL : omp_alloc(size, to);
    if (memory != NULL && (fresh != NULL || size == 0)) {
        if (fresh != NULL) {
            const size_t before = ((rex_allocation *)memory)[-1].size;
            memcpy(fresh, memory, before < size ? before : size);
        }
        omp_free(memory, from);
    }
    return fresh;
}

/* ---- calls by address -------------------------------------------------------------------------------------------- */

/* The function that an address means here, where it may be the host's address of one of `count` indirect functions. */
template <class F>
REX_FN F rex_translated(F f, void *const *host, void *const *device, int count)
{
    for (int i = 0; i < count; ++i)
        if (reinterpret_cast<void *>(f) == host[i])
            return reinterpret_cast<F>(device[i]);
    return rex_own_function(f);
}

#define REX_FUNCTION(f) rex_own_function(f)

/* ---- mutual exclusion ------------------------------------------------------------------------------------------- */

/* Makes *lock 0 (free) or 1 (held); returns what it was. A lock may be a variable on the calling thread's stack, where
 * hardware has no atomics: written in assembly, for the compiler warns of what it sees before it knows the address. */
REX_FN unsigned int rex_exchange_lock(unsigned int *lock, unsigned int held)
{
#ifdef REX_DEVICE_CPU
    return atomicExch(lock, held);
#else
    unsigned int before;
    if (__isGlobal(lock) || __isShared(lock)) {
        asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(before) : "l"(lock), "r"(held) : "memory");
    } else {
        before = *lock;
        *lock = held;
    }
    return before;
#endif
}

REX_FN bool rex_try_acquire(unsigned int *lock)
{
    if (rex_exchange_lock(lock, 1u) != 0u)
        return false;
    __threadfence();
    return true;
}

REX_FN void rex_acquire(unsigned int *lock)
{
    while (!rex_try_acquire(lock))
        __nanosleep(50);
}

REX_FN void rex_release(unsigned int *lock)
{
    __threadfence();
    rex_exchange_lock(lock, 0u);
}

#define REX_DEFINE_LOCK(name) [[maybe_unused]] REX_STATE __device__ unsigned int name

/* The lanes of a warp that meet a critical section together must not wait for each other to leave the loop that
 * acquires the lock, so the section lies inside that loop: whoever holds the lock runs it and frees the lock before
 * the others try again. */
struct rex_critical_section {
    unsigned int *lock;
    bool done;
    __device__ bool enter()
    {
        return !done && rex_try_acquire(lock);
    }
    __device__ void leave()
    {
        rex_release(lock);
        done = true;
    }
};

/* Before a statement, which must be left at its end only. */
#define REX_CRITICAL(name)                                                                                             \
    for (rex_critical_section rex_section = {&name, false}; !rex_section.done;)                                        \
        for (; rex_section.enter(); rex_section.leave())

REX_FN void omp_init_lock(omp_lock_t *lock) { lock->held = 0; }
REX_FN void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t) { omp_init_lock(lock); }
REX_FN void omp_destroy_lock(omp_lock_t *) {}
REX_FN void omp_set_lock(omp_lock_t *lock) { rex_acquire(&lock->held); }
REX_FN void omp_unset_lock(omp_lock_t *lock) { rex_release(&lock->held); }
REX_FN int omp_test_lock(omp_lock_t *lock) { return rex_try_acquire(&lock->held); }

REX_FN void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    lock->held = 0;
    lock->depth = 0;
    lock->owner = 0;
}
REX_FN void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t) { omp_init_nest_lock(lock); }
REX_FN void omp_destroy_nest_lock(omp_nest_lock_t *) {}

/* The depth after the calling thread has entered the lock, 0 if another thread has it. */
REX_FN int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    const unsigned long long self = static_cast<unsigned long long>(rex_device_thread_num()) + 1;
    if (rex_atomic_read(&lock->owner) != self) {
        if (!rex_try_acquire(&lock->held))
            return 0;
        rex_atomic_write(&lock->owner, self);
    }
    return ++lock->depth;
}
REX_FN void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    while (!omp_test_nest_lock(lock))
        __nanosleep(50);
}
REX_FN void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    if (--lock->depth == 0) {
        rex_atomic_write(&lock->owner, 0);
        rex_release(&lock->held);
    }
}

REX_FN bool rex_master() { return omp_get_thread_num() == 0; }
REX_FN bool rex_single() { return rex_master(); }

/* The error directive at execution. */
REX_FN void rex_error(bool fatal, const char *message)
{
    printf("%s: %s\n", fatal ? "fatal error" : "warning", message);
    if (fatal)
#ifdef REX_DEVICE_CPU
        abort();
#else
        __trap();
#endif
}

#ifdef REX_DEVICE_CPU
REX_FN void rex_check_sequential()
{
    if (omp_get_level() > 0)
        rex_error(true, "a thread's own variable is declared in its team's memory");
}
#endif

/* ---- loop counters ---------------------------------------------------------------------------------------------- */

/* The counter of the innermost of several collapsed loops that runs `trips` times; what is left for the outer ones
 * stays in `rest`. Both are not negative. A GPU divides 32-bit numbers several times faster than 64-bit ones, and all
 * threads take the same branch unless the loops have 2^32 iterations and more. */
REX_FN long long rex_innermost(long long &rest, long long trips)
{
    if (((rest | trips) >> 32) == 0) {
        const unsigned int number = static_cast<unsigned int>(rest), divisor = static_cast<unsigned int>(trips);
        const unsigned int quotient = number / divisor;
        rest = quotient;
        return number - quotient * divisor;
    }
    const long long quotient = rest / trips, remainder = rest - quotient * trips;
    rest = quotient;
    return remainder;
}

REX_FN int rex_innermost(int &rest, int trips)
{
    const unsigned int number = static_cast<unsigned int>(rest), divisor = static_cast<unsigned int>(trips);
    const unsigned int quotient = number / divisor;
    rest = static_cast<int>(quotient);
    return static_cast<int>(number - quotient * divisor);
}

/* ---- <stdarg.h> --------------------------------------------------------------------------------------------------- */

/* What <stdarg.h> has as va_list is an array of one of these: where the next argument is. */
struct rex_va_list {
    void *next;
    void *unused[2]; /* as large as the host's */
};

/* Arguments that no parameters name, each aligned for its type. */
template <class... T>
struct rex_arguments {
    alignas(16) char bytes[(0 + ... + (sizeof(T) + alignof(T)))];
};

REX_FN size_t rex_aligned(size_t place, size_t alignment) { return (place + alignment - 1) & ~(alignment - 1); }

template <class... T>
REX_FN rex_arguments<T...> rex_pack(T... values)
{
    rex_arguments<T...> packed;
    size_t end = 0;
    ((end = rex_aligned(end, alignof(T)), memcpy(packed.bytes + end, &values, sizeof(T)), end += sizeof(T)), ...);
    return packed;
}

template <class T>
REX_FN T rex_next_argument(void *&place)
{
    T value;
    char *const at = reinterpret_cast<char *>(rex_aligned(reinterpret_cast<size_t>(place), alignof(T)));
    memcpy(&value, at, sizeof(T));
    place = at + sizeof(T);
    return value;
}

/* An array of variable length, or a variable too large for shared memory: on the device's heap until its block ends.
 * `alignment` is in bytes, a power of two. */
template <class T>
struct rex_local_array {
    size_t size; /* in bytes */
    void *memory;
    T *elements;
    __device__ explicit rex_local_array(long count, size_t alignment = alignof(T)) : size(count * sizeof(T))
    {
        const size_t more = alignment > 16 ? alignment - 1 : 0; /* malloc aligns for 16 */
        memory = malloc(size + more);
        if (!memory && size > 0)
            rex_error(true, "the device's heap is full: LIBOMPTARGET_HEAP_SIZE sets its size in bytes");
        elements = reinterpret_cast<T *>((reinterpret_cast<size_t>(memory) + more) & ~more);
    }
    __device__ ~rex_local_array() { free(memory); }
    rex_local_array(const rex_local_array &) = delete;
};

/* A structure that is, or has members that are, out of alignment. Where such a one is copied as a whole, and only one
 * member of the copy used, nvcc 13 loads that member as if it were aligned. */
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

/* Objects that a typedef aligns less than their type wants: to `Align` bytes, so that they are moved in pieces of no
 * more than that. */
template <int Align>
using rex_piece = std::conditional_t<Align == 1, unsigned char,
    std::conditional_t<Align == 2, unsigned short, std::conditional_t<Align == 4, unsigned int, unsigned long long>>>;

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

/* Volatile complex numbers, which C++ does not copy as wholes where they are structures. */
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

/* What has no size in C. */
struct rex_nothing {};

/* Calls when its scope is left: the attribute cleanup. */
template <class F>
struct rex_at_end {
    F call;
    __device__ explicit rex_at_end(F f) : call(f) {}
    __device__ ~rex_at_end() { call(); }
    rex_at_end(const rex_at_end &) = delete;
};

/* What a switch compares that has one label, the first value, for each of some case ranges: nvcc ignores what is inside
   ranges. */
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

/* Gives every thread of the current region the first one's value of a variable private to them: copyprivate. */
template <class T>
REX_FN void rex_broadcast(T *x)
{
    if (omp_get_num_threads() == 1)
        return;
#ifdef REX_DEVICE_CPU
    if (rex_master())
        *rex_team.broadcast = x;
    rex_barrier();
    if (!rex_master())
        memcpy(x, *rex_team.broadcast, sizeof(T));
#else
    alignas(T) static __shared__ unsigned char value[sizeof(T)];
    if (rex_master())
        memcpy(value, x, sizeof(T));
    rex_barrier();
    memcpy(x, value, sizeof(T));
#endif
    rex_barrier();
}

/* ---- schedules -------------------------------------------------------------------------------------------------- */

/* Chunks of a loop dealt round robin. */
struct rex_static_schedule {
    long long trip, chunk;       /* iterations */
    long long chunks, next, num; /* chunks in all, this thread's next one, threads */
};

/* trip and chunk in iterations; id of num threads. */
REX_FN void XOMP_static_sched_init(rex_static_schedule *s, long long trip, long long chunk, long long num, long long id)
{
    s->trip = trip;
    s->chunk = chunk > 0 ? chunk : 1;
    s->chunks = trip / s->chunk + (trip % s->chunk != 0);
    s->next = id;
    s->num = num;
}

/* The next chunk's first and last iteration; false when there is none. */
REX_FN bool XOMP_static_sched_next(rex_static_schedule *s, long long *lower, long long *upper)
{
    if (s->next >= s->chunks)
        return false;
    *lower = s->next * s->chunk;
    *upper = s->trip - *lower > s->chunk ? *lower + s->chunk - 1 : s->trip - 1;
    s->next = s->chunks - s->next > s->num ? s->next + s->num : s->chunks;
    return true;
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

/* What an array is to be called so that its first element has the index `first`. */
template <class T>
REX_FN T *rex_indexed_from(T *array, long long first)
{
    return array - first;
}

/* One of the variables that are combined in one step. */
template <class Op, class T>
struct rex_reduction_part {
    using operation = Op;
    using type = T;
    T *original;
    T value;
};
template <class Op, class T>
REX_FN rex_reduction_part<Op, T> rex_part(T *original, T value)
{
    return {original, value};
}

/* By any thread: tasks. */
template <class Op, class T>
REX_FN void rex_reduce_task(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

/* By the initial threads of the teams. */
template <class Op, class T>
REX_FN void rex_reduce_league(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

#ifdef REX_DEVICE_CPU

template <class Op, class T>
REX_FN void rex_reduce_grid(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

template <class... Part>
REX_FN void rex_reduce_grid(Part... part)
{
    (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class Op, class T>
REX_FN void rex_reduce_grid_array(T *original, const T *partials, long count)
{
    for (long i = 0; i < count; ++i)
        rex_atomic_update<Op>(original + i, partials[i]);
}

template <class Op, class T>
REX_FN void rex_reduce_team_array(T *original, const T *partials, long count)
{
    for (long i = 0; i < count; ++i)
        rex_atomic_update<Op>(original + i, partials[i]);
}

template <class... Part>
REX_FN void rex_reduce_all(unsigned int &, Part... part)
{
    (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class Part>
REX_FN void rex_add_part(const Part &part)
{
    *part.original = static_cast<typename Part::type>(Part::operation::apply(*part.original, part.value));
}

/* In the order of the device threads' numbers. */
template <class... Part>
REX_FN void rex_reduce_grid_ordered(unsigned long long *turn, Part... part)
{
    const unsigned long long own = static_cast<unsigned long long>(rex_cpu_id());
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != own)
        sched_yield();
    (rex_add_part(part), ...);
    __atomic_store_n(turn, own + 1, __ATOMIC_RELEASE);
}

template <class... Part>
REX_FN void rex_reduce_league_ordered(unsigned long long *, Part... part)
{
    (rex_add_part(part), ...);
}

template <class... Part>
REX_FN void rex_reduce_all_ordered(unsigned int &, Part... part)
{
    for (int thread = 0; thread < rex_team.region_threads; ++thread) {
        rex_barrier();
        if (omp_get_thread_num() == thread)
            (rex_add_part(part), ...);
    }
}

template <class Op, class T>
REX_FN void rex_reduce_team(T *original, T partial)
{
    rex_atomic_update<Op>(original, partial);
}

template <class Op, class T>
REX_FN void rex_reduce_team_ordered(T *original, T partial)
{
    const int threads = omp_get_num_threads();
    for (int thread = 0; thread < threads; ++thread) {
        rex_barrier();
        if (omp_get_thread_num() == thread)
            rex_add_part(rex_part<Op>(original, partial));
    }
}

#else

struct rex_two_words {
    unsigned long long low, high;
};
template <class... T>
using rex_partial_word = std::conditional_t<(... || (sizeof(T) > 8)), rex_two_words, unsigned long long>;

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

/* Called by the first `lanes` lanes of a warp; the first one gets the values of all combined. */
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

/* Of the calling thread's warp, how many lanes are among the first `threads` threads of the block. */
REX_FN unsigned int rex_lanes_of(unsigned int threads)
{
    const unsigned int rest = threads - threadIdx.x / REX_WARP * REX_WARP;
    return rest < REX_WARP ? rest : REX_WARP;
}

template <class Op, class T, class Word>
REX_FN void rex_combine_warps(T *original, const Word *partials, unsigned int warps)
{
    T value = *original;
    for (unsigned int warp = 0; warp < warps; ++warp)
        value = static_cast<T>(Op::apply(value, rex_from_bits<T>(partials[warp])));
    *original = value;
}

REX_STATE __shared__ unsigned long long rex_warp_partials[REX_BLOCK_MAX / REX_WARP];

/* Called by all threads of a worksharing kernel's grid: combines their partial values into *original. */
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

/* Called by all lanes of a warp: each gets those combined of the lanes with its own number modulo REX_BATCH. */
template <class Op, class T>
REX_FN T rex_reduce_groups(T value)
{
    for (unsigned int distance = REX_BATCH; distance < REX_WARP; distance *= 2)
        value = static_cast<T>(Op::apply(value, rex_shuffle_xor(value, distance)));
    return value;
}

/* Called by all lanes of a warp, with their values of REX_BATCH elements: each gets those of the element with its own
 * number modulo REX_BATCH combined. Lanes give half of the elements that they still have for the other half's values. */
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

/* The lanes' values of the elements from `first` on. */
template <class Op, class T>
REX_FN T rex_reduce_next(const T *partials, long first, long count)
{
    T values[REX_BATCH];
#pragma unroll
    for (unsigned int i = 0; i < REX_BATCH; ++i)
        values[i] = first + i < count ? partials[first + i] : rex_identity<Op, T>();
    return rex_reduce_batch<Op>(values);
}

/* As rex_reduce_grid, for each of `count` elements. The warps' values have two places to stand in by turns, so that one
 * barrier is enough. */
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

/* Called by all threads of the block: the first one gets the values of all. */
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

/* The same for several variables, with one barrier. Called once in a kernel. */
template <class... Part>
REX_FN void rex_reduce_grid(Part... part)
{
    rex_reduce_block(part...);
    if (threadIdx.x == 0)
        (rex_atomic_update<typename Part::operation>(part.original, part.value), ...);
}

template <class Part>
REX_FN void rex_add_part(const Part &part)
{
    *part.original = static_cast<typename Part::type>(Part::operation::apply(*part.original, part.value));
}

/* What the blocks first, first + step, ... left, combined in this order. */
template <class Part>
REX_FN void rex_collect_partials(Part &part, const unsigned long long *partials, unsigned int first, unsigned int step)
{
    using T = typename Part::type;
    T value = rex_identity<typename Part::operation, T>();
    for (unsigned int block = first; block < gridDim.x; block += step)
        value = static_cast<T>(Part::operation::apply(value, rex_from_bits<T>(rex_atomic_read(partials + block))));
    part.value = value;
}

/* Whether the calling thread's block is the last one of the grid to leave its values in `partials`: zero at launch,
 * 1 + gridDim.x words for each variable, the first of all a count of blocks. */
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

/* As rex_reduce_grid, in an order that depends on the launch shape only: the last block combines all blocks' values. */
template <class... Part>
REX_FN void rex_reduce_grid_ordered(unsigned long long *partials, Part... part)
{
    static __shared__ bool last;
    __syncthreads(); /* for arrays this is called again and again */
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

/* Called by all threads of the block, each with its own copies of the originals: all get the same results. The partial
 * values of the warps have two places to stand in by turns, so that one barrier is enough. */
template <class... Part>
REX_FN void rex_reduce_all(unsigned int &turn, Part... part)
{
    using Word = rex_partial_word<typename Part::type...>;
    static __shared__ Word partials[2][sizeof...(Part)][REX_BLOCK_MAX / REX_WARP];
    const unsigned int warps = (blockDim.x + REX_WARP - 1) / REX_WARP, place = turn++ % 2;
    ((part.value = rex_reduce_lanes<typename Part::operation>(part.value, rex_lanes_of(blockDim.x))), ...);
    unsigned int number = 0;
    if (threadIdx.x % REX_WARP == 0)
        ((partials[place][number++][threadIdx.x / REX_WARP] = rex_bits<Word>(part.value)), ...);
    __syncthreads();
    number = 0;
    (rex_combine_warps<typename Part::operation>(part.original, partials[place][number++], warps), ...);
}

/* Called by all threads of the current parallel region. The result is complete after the region's next barrier. */
template <class Op, class T>
REX_FN void rex_reduce_team(T *original, T partial)
{
    if (omp_get_num_threads() == 1) {
        *original = static_cast<T>(Op::apply(*original, partial));
        return;
    }
    partial = rex_reduce_lanes<Op>(partial, rex_lanes_of(rex_team.region_threads));
    if (threadIdx.x % REX_WARP == 0)
        rex_atomic_update<Op>(original, partial);
}

/* The same for each of `count` elements. */
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

/* A value in the order of the threads' numbers. */
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

/* Its order is the same in every run as it is. */
template <class... Part>
REX_FN void rex_reduce_all_ordered(unsigned int &turn, Part... part)
{
    rex_reduce_all(turn, part...);
}

#endif

#ifndef REX_DEVICE_CPU
#include "rex_libc.h"
#endif

/* A kernel that does nothing but be launched, with one mapped object; on the cpu device by all threads. */
#define REX_READY_KERNEL(name)                                                                                         \
    extern "C" __global__ void __launch_bounds__(32) name(void *__rex_kernel_launch_env, void *there)                  \
    {                                                                                                                  \
        REX_CPU_GRID(name(__rex_kernel_launch_env, there));                                                            \
        if (gridDim.y * blockDim.y == 4)                                                                               \
            *static_cast<int *>(there) = 1;                                                                            \
    }

#endif
