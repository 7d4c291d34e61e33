/* What the rest of the library uses of CUDA beside CUDA's own words and functions. cpu/rex_device.h has the same.
 * Included by xomp_cuda_lib_inlined.cu.
 */
#pragma once

#include "../rex_types.h"
#include "../rex_check.h"
#include "../rex_state.h"

#define REX_FN static inline __device__
/* What a host's pointer to a function means: nvcc also reads functions of both sides for the host. */
#ifdef __CUDA_ARCH__
#define REX_MEANT(function, translation) translation(function)
#else
#define REX_MEANT(function, translation) (function)
#endif

#define REX_LOOKED_UP(name)
#define REX_CPU_GRID(call)
#define REX_CPU_TEAM(call)
#define REX_CPU_GRID_EXACT(shape, call)
#define REX_CPU_TEAMS(shape, call)
#define REX_CPU_COUNTS_THREADS(shape, place)

REX_FN void rex_abort() { __trap(); }

/* Seconds since some moment. */
REX_FN double rex_seconds()
{
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    /* The product is rounded. If it were fused with a caller's subtraction, an interval could become negative. */
    return __dmul_rn(static_cast<double>(nanoseconds), 1e-9);
}

template <class T>
REX_FN T rex_bit_reversed(T x)
{
    return static_cast<T>(__brevll(x) >> (64 - sizeof(T) * 8));
}

/* For a value that the compiler must load by itself: nvcc 13.0 loads several elements of one or two bytes in one word, and
 * loses the sign of a sum that is compared. */
template <class T>
REX_FN void rex_keep_apart(T &value)
{
    asm("" : "+r"(value));
}

/* Sets *lock to 0 (free) or 1 (held), and returns its old value. A lock may be a variable on the calling thread's stack,
 * where the hardware has no atomics. This is assembly, because the compiler would warn before it knows the address. */
REX_FN unsigned int rex_exchange_lock(unsigned int *lock, unsigned int held)
{
    unsigned int before;
    if (__isGlobal(lock) || __isShared(lock)) {
        asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(before) : "l"(lock), "r"(held) : "memory");
    } else {
        before = *lock;
        *lock = held;
    }
    return before;
}

template <class F>
REX_FN F rex_own_function(F f)
{
    return f;
}

/* Carries out an operation on *x by `atomic(x)`, or by `plain(x)` if x is on the calling thread's stack, where the
 * hardware has no atomics. The test costs nothing if the compiler knows where x points. The conversions tell the compiler
 * the state space. They are assembly, because nvcc 13 sees through its own conversions and then warns of atomics on the
 * stack, although it removes these. */
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

/* How _Float16 is stored. */
struct rex_half_format {
    static constexpr float least_normal = 6.103515625e-05f; /* 2 to the power of -14 */
    REX_FN float widen(unsigned short bits)
    {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
    /* The result is widened at once: ptxas 13.0 stores wrong bytes if single bytes of the result of 'cvt' are stored. */
    REX_FN unsigned short round(float value)
    {
        unsigned int bits;
        asm("{ .reg .b16 half; cvt.rn.f16.f32 half, %1; cvt.u32.u16 %0, half; }" : "=r"(bits) : "f"(value));
        return static_cast<unsigned short>(bits);
    }
    REX_FN unsigned short round(double value)
    {
        unsigned int bits;
        asm("{ .reg .b16 half; cvt.rn.f16.f64 half, %1; cvt.u32.u16 %0, half; }" : "=r"(bits) : "d"(value));
        return static_cast<unsigned short>(bits);
    }
};

/* Complex types of the same layout as C's, because nvcc accepts _Complex but its device code cannot compute with it. */
template <class R>
struct rex_complex_value {
    R re, im;
    template <class S>
    __device__ explicit operator rex_complex_value<S>() const
    {
        return {static_cast<S>(re), static_cast<S>(im)};
    }
    __device__ rex_complex_value operator+() const { return *this; }
    __device__ rex_complex_value operator-() const { return {static_cast<R>(-re), static_cast<R>(-im)}; }
    __device__ rex_complex_value operator~() const { return {re, static_cast<R>(-im)}; }
};

using rex_float_complex = rex_complex_value<float>;
using rex_double_complex = rex_complex_value<double>;
#define REX_REAL(z) ((z).re)
#define REX_IMAG(z) ((z).im)
#define REX_COMPLEX_OF(R) rex_complex_value<R>
constexpr bool rex_has_complex_products = false, rex_has_complex_quotients = false;
