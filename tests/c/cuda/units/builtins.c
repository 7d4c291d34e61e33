/* Builtins that clang has and older gcc has not. What they should give is in builtins_reference.h. */
typedef unsigned long word;
typedef unsigned __int128 wide;

static word mixed(word sum, word x)
{
    return (sum << 7 | sum >> 57) ^ x * 0x9e3779b97f4a7c15;
}

long test_reversed(int k)
{
    const word x = (word)(k * k + 3) * 77777777777;
    word sum = __builtin_bitreverse8((unsigned char)x);
    sum = mixed(sum, __builtin_bitreverse16((unsigned short)x));
    sum = mixed(sum, __builtin_bitreverse32((unsigned)x));
    return (long)mixed(sum, __builtin_bitreverse64(x));
}

long test_rotated(int k)
{
    const word x = (word)(k * k + 3) * 77777777777;
    word sum = 0;
    for (int n = 0; n < 130; n += 3) {
        sum = mixed(sum, __builtin_rotateleft8((unsigned char)x, (unsigned char)n));
        sum = mixed(sum, __builtin_rotateleft16((unsigned short)x, (unsigned short)n));
        sum = mixed(sum, __builtin_rotateleft32((unsigned)x, (unsigned)n));
        sum = mixed(sum, __builtin_rotateleft64(x, (word)n));
        sum = mixed(sum, __builtin_rotateright8((unsigned char)x, (unsigned char)n));
        sum = mixed(sum, __builtin_rotateright16((unsigned short)x, (unsigned short)n));
        sum = mixed(sum, __builtin_rotateright32((unsigned)x, (unsigned)n));
        sum = mixed(sum, __builtin_rotateright64(x, (word)n));
    }
    return (long)sum;
}

long test_carried(int k)
{
    word sum = 0;
    for (int n = -2; n < 3; ++n) {
        unsigned char of_char;
        unsigned short of_short;
        unsigned of_int;
        word of_long;
        unsigned long long of_long_long;
        const unsigned x = (unsigned)k, carry = (unsigned)n & 1;
        sum = mixed(sum, __builtin_addcb((unsigned char)(x + 250), 5, (unsigned char)carry, &of_char));
        sum = mixed(sum, of_char);
        sum = mixed(sum, __builtin_subcs((unsigned short)x, 3, (unsigned short)carry, &of_short));
        sum = mixed(sum, of_short);
        sum = mixed(sum, __builtin_addc(x, 0 - x + (unsigned)n, carry, &of_int));
        sum = mixed(sum, of_int);
        sum = mixed(sum, __builtin_subcl(x, x + (word)n, carry, &of_long));
        sum = mixed(sum, of_long);
        sum = mixed(sum, __builtin_addcll(x, ~0ull, carry, &of_long_long));
        sum = mixed(sum, of_long_long);
    }
    return (long)sum;
}

long test_counted(int k)
{
    const unsigned x = (unsigned)(k * k + 3) * 40503;
    const wide both = (wide)x << 70 | x;
    word sum = (word)(__builtin_popcountg(x) + 100 * __builtin_popcountg((unsigned char)x));
    sum = mixed(sum, (word)(__builtin_popcountg(both) + 1000 * __builtin_clzg(both) + 1000000 * __builtin_ctzg(both)));
    sum = mixed(sum, (word)(__builtin_clzg((unsigned short)x, 55) + 100 * __builtin_clzg(x - x, 77)));
    return (long)mixed(sum, (word)(__builtin_ctzg((word)x << 40) + 100 * __builtin_ctzg((unsigned char)(k >> 2), -9)));
}

long test_aligned(int k)
{
    static double values[16] = {1, 2, 3};
    double *p = values + k;
    const double *up = __builtin_align_up(p, 32), *down = __builtin_align_down(p, 32);
    long sum = up >= p && up - p < 4 && down <= p && p - down < 4 && __builtin_is_aligned(up, 32);
    __builtin_nontemporal_store(2.5 * k, p);
    __builtin_assume(p[0] >= 0);
    sum = 10 * sum + (long)(2 * __builtin_nontemporal_load(p));
    return 1000 * sum + __builtin_align_up(k + 13, 8) + __builtin_align_down(k + 13, 4) + __builtin_unpredictable(k > 3);
}

long test_classes(int k)
{
    const float tiny = 1e-38f / (float)(1 << k);
    const double x = k - 3;
    return __builtin_iszero(x) + 2 * __builtin_iszero(-0.0f * tiny) + 4 * __builtin_issubnormal(tiny) +
           8 * __builtin_issubnormal(x) + 16 * __builtin_issubnormal(5e-324);
}

struct pair {
    int a, b;
};

/* What clang's <stdatomic.h> is made of. */
long test_atomics(int k)
{
    int row[8] = {0}, wanted = k + 1;
    _Atomic int number;
    _Atomic(int *) at;
    _Atomic(struct pair) whole;
    word sum = (word)k;
    __c11_atomic_init(&number, k);
    __c11_atomic_store(&at, row + 5, 0);
    sum = mixed(sum, (word)__c11_atomic_fetch_add(&number, 5, 5));
    sum = mixed(sum, (word)__c11_atomic_fetch_sub(&number, 3, 2));
    sum = mixed(sum, (word)__c11_atomic_fetch_or(&number, 24, 5));
    sum = mixed(sum, (word)__c11_atomic_fetch_and(&number, 19, 5));
    sum = mixed(sum, (word)__c11_atomic_fetch_xor(&number, 7, 5));
    sum = mixed(sum, (word)__c11_atomic_exchange(&number, k, 5));
    sum = mixed(sum, __c11_atomic_compare_exchange_strong(&number, &wanted, 50, 5, 5));
    sum = mixed(sum, __c11_atomic_compare_exchange_strong(&number, &wanted, 51, 5, 0));
    sum = mixed(sum, (word)wanted);
    sum = mixed(sum, (word)(__c11_atomic_fetch_add(&at, 2, 5) - row));
    sum = mixed(sum, (word)(__c11_atomic_fetch_sub(&at, 3, 5) - row));
    sum = mixed(sum, (word)(__c11_atomic_load(&at, 5) - row));
    __c11_atomic_thread_fence(5);
    __c11_atomic_store(&whole, ((struct pair){k, 2}), 5);
    struct pair seen = __c11_atomic_exchange(&whole, ((struct pair){3, 4}), 5), other = {3, 5};
    sum = mixed(sum, (word)(seen.a * 10 + seen.b));
    sum = mixed(sum, __c11_atomic_compare_exchange_weak(&whole, &other, seen, 5, 5));
    sum = mixed(sum, (word)other.b);
    other.a = 3;
    sum = mixed(sum, __c11_atomic_compare_exchange_strong(&whole, &other, seen, 5, 5));
    seen = __c11_atomic_load(&whole, 5);
    return (long)mixed(sum, (word)(seen.a * 10 + __c11_atomic_load(&number, 0)));
}
