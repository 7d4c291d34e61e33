/* What the builtins of builtins.c give, bit by bit. */
#include <math.h>

static unsigned long rotated(unsigned long x, unsigned long n, unsigned long bits)
{
    unsigned long found = 0;
    for (unsigned long i = 0; i < bits; ++i)
        found |= (x >> i & 1) << (i + n) % bits;
    return found;
}
static unsigned long bits_reversed(unsigned long x, int bits)
{
    unsigned long found = 0;
    for (int i = 0; i < bits; ++i)
        found |= (x >> i & 1) << (bits - 1 - i);
    return found;
}
static int ones(unsigned __int128 x, int low, int high)
{
    int found = 0;
    for (int i = low; i < high; ++i)
        found += (int)(x >> i & 1);
    return found;
}
static int leading(unsigned __int128 x, int bits)
{
    int found = 0;
    while (!(x >> (bits - 1 - found) & 1))
        ++found;
    return found;
}
static int trailing(unsigned __int128 x)
{
    int found = 0;
    while (!(x >> found & 1))
        ++found;
    return found;
}

#define __builtin_bitreverse8(x) bits_reversed(x, 8)
#define __builtin_bitreverse16(x) bits_reversed(x, 16)
#define __builtin_bitreverse32(x) bits_reversed(x, 32)
#define __builtin_bitreverse64(x) bits_reversed(x, 64)
#define __builtin_rotateleft8(x, n) rotated(x, n, 8)
#define __builtin_rotateleft16(x, n) rotated(x, n, 16)
#define __builtin_rotateleft32(x, n) rotated(x, n, 32)
#define __builtin_rotateleft64(x, n) rotated(x, n, 64)
#define __builtin_rotateright8(x, n) rotated(x, 8 - (n) % 8, 8)
#define __builtin_rotateright16(x, n) rotated(x, 16 - (n) % 16, 16)
#define __builtin_rotateright32(x, n) rotated(x, 32 - (n) % 32, 32)
#define __builtin_rotateright64(x, n) rotated(x, 64 - (n) % 64, 64)

#define CARRIED(a, op, b, carry, out)                                                                                  \
    ({                                                                                                                 \
        const __int128 exact = (__int128)(a) op (b) op (carry);                                                        \
        const __typeof__(*(out)) kept = (__typeof__(*(out)))exact;                                                     \
        *(out) = exact != kept;                                                                                        \
        kept;                                                                                                          \
    })
#define __builtin_addcb(a, b, carry, out) CARRIED(a, +, b, carry, out)
#define __builtin_addc(a, b, carry, out) CARRIED(a, +, (unsigned)(b), carry, out)
#define __builtin_addcll(a, b, carry, out) CARRIED(a, +, b, carry, out)
#define __builtin_subcs(a, b, carry, out) CARRIED(a, -, b, carry, out)
#define __builtin_subcl(a, b, carry, out) CARRIED(a, -, (unsigned long)(b), carry, out)

#define SECOND(first, second, ...) second
#define BITS(x) (int)(sizeof(x) * 8)
#define __builtin_popcountg(x) ones(x, 0, BITS(x))
#define __builtin_clzg(x, ...) ((x) ? leading(x, BITS(x)) : SECOND(0, ##__VA_ARGS__, 0))
#define __builtin_ctzg(x, ...) ((x) ? trailing(x) : SECOND(0, ##__VA_ARGS__, 0))

#define __builtin_is_aligned(x, n) ((unsigned long)(x) % (n) == 0)
#define __builtin_align_up(x, n) ((__typeof__(x))(((unsigned long)(x) + (n) - 1) / (n) * (n)))
#define __builtin_align_down(x, n) ((__typeof__(x))((unsigned long)(x) / (n) * (n)))
#define __builtin_nontemporal_store(value, place) (*(place) = (value))
#define __builtin_nontemporal_load(place) (*(place))
#define __builtin_assume(condition) ((void)0)
#define __builtin_unpredictable(x) (x)
#define __builtin_iszero(x) ((x) == 0)
#define __builtin_issubnormal(x) (fpclassify(x) == FP_SUBNORMAL)

#define UPDATED(p, value)                                                                                              \
    ({                                                                                                                 \
        __auto_type old = *(p);                                                                                        \
        *(p) = value;                                                                                                  \
        old;                                                                                                           \
    })
#define __c11_atomic_init(p, v) ((void)(*(p) = (v)))
#define __c11_atomic_store(p, v, order) ((void)(*(p) = (v)))
#define __c11_atomic_load(p, order) (*(p))
#define __c11_atomic_exchange(p, v, order) UPDATED(p, (v))
#define __c11_atomic_fetch_add(p, v, order) UPDATED(p, old + (v))
#define __c11_atomic_fetch_sub(p, v, order) UPDATED(p, old - (v))
#define __c11_atomic_fetch_or(p, v, order) UPDATED(p, old | (v))
#define __c11_atomic_fetch_and(p, v, order) UPDATED(p, old & (v))
#define __c11_atomic_fetch_xor(p, v, order) UPDATED(p, old ^ (v))
#define __c11_atomic_compare_exchange_strong(p, expected, v, order, otherwise)                                         \
    ({                                                                                                                 \
        __auto_type now = *(p);                                                                                        \
        const int same = __builtin_memcmp(&now, expected, sizeof now) == 0;                                            \
        if (same)                                                                                                      \
            *(p) = (v);                                                                                                \
        else                                                                                                           \
            *(expected) = now;                                                                                         \
        same;                                                                                                          \
    })
#define __c11_atomic_compare_exchange_weak __c11_atomic_compare_exchange_strong
#define __c11_atomic_thread_fence(order) ((void)0)
