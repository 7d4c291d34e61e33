/* Loop variables of every integer type, with their extreme values, and loops without iterations. */
// reference: -Wno-unknown-pragmas
// cflags: -std=c11 -Wno-overflow
#include "check.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

static long long sum, count;

#define RUN(type, first, condition, step)                                                                     \
    do {                                                                                                      \
        long long s = 0, c = 0;                                                                               \
        _Pragma("omp target teams distribute parallel for reduction(+: s, c)")                                \
        for (type i = first; condition; step) {                                                               \
            s += (long long)(i % 1000);                                                                       \
            c++;                                                                                              \
        }                                                                                                     \
        sum = s;                                                                                              \
        count = c;                                                                                            \
        long long serial = 0, serial_count = 0;                                                               \
        for (type i = first; condition; step) {                                                               \
            serial += (long long)(i % 1000);                                                                  \
            serial_count++;                                                                                   \
        }                                                                                                     \
        CHECK(sum == serial && count == serial_count);                                                        \
        printf("%s %lld %lld\n", #type, sum, count);                                                          \
    } while (0)

/* The same for loops whose start, bound and step have other types than the variable, in each kind of loop. */
#define MIXED(type, first, condition, step)                                                                   \
    do {                                                                                                      \
        unsigned long long serial = 0, direct = 0, inner = 0;                                                 \
        for (type i = first; condition; step)                                                                 \
            serial += (unsigned long long)i * 7 + 1;                                                          \
        _Pragma("omp target teams distribute parallel for map(tofrom: direct)")                               \
        for (type i = first; condition; step) {                                                               \
            _Pragma("omp atomic update")                                                                      \
            direct += (unsigned long long)i * 7 + 1;                                                          \
        }                                                                                                     \
        _Pragma("omp target teams distribute map(tofrom: inner)")                                             \
        for (int k = 0; k < 2; ++k) {                                                                         \
            _Pragma("omp parallel for")                                                                       \
            for (type i = first; condition; step) {                                                           \
                _Pragma("omp atomic update")                                                                  \
                inner += (unsigned long long)i * 7 + 1;                                                       \
            }                                                                                                 \
        }                                                                                                     \
        CHECK(serial == direct && 2 * serial == inner);                                                       \
        printf("%s %llu\n", #type, direct);                                                                   \
    } while (0)

int main(void)
{
    const unsigned u0 = 0, u_top = UINT_MAX;
    const long long big = 1LL << 40;

    RUN(char, 0, i < 100, ++i);
    RUN(signed char, -100, i <= 100, i += 20);
    RUN(unsigned char, 200, i > 10, --i);
    RUN(short, -30000, i < 30000, i += 777);
    RUN(unsigned short, 65000, i >= 500, i -= 500);
    RUN(int, INT_MAX - 20, i < INT_MAX, ++i);
    RUN(int, INT_MIN, i < INT_MIN + 20, ++i);
    RUN(int, INT_MAX, i > INT_MAX - 100, i -= 7);
    RUN(int, -2000000000, i < 1700000000, i += 400000000);
    RUN(unsigned, u_top - 50, i < u_top, ++i);
    RUN(unsigned, u_top, i > u_top - 100, i -= 3);
    RUN(unsigned, u0, i < u_top - 1000000000u, i += 500000000u);
    RUN(long, LONG_MAX - 10, i < LONG_MAX, ++i);
    RUN(long long, -big, i <= big, i += big / 16);
    RUN(long long, LLONG_MAX - 5, i < LLONG_MAX, i++);
    RUN(long long, LLONG_MIN, i < LLONG_MIN + 9, i++);
    RUN(unsigned long long, ULLONG_MAX - 30, i < ULLONG_MAX, i += 1);
    RUN(size_t, 100, i > 0, --i);
    RUN(uint8_t, 0, i < 250, i += 5);
    RUN(int64_t, -5, i < 5, ++i);
    RUN(ptrdiff_t, 10, i >= -10, i -= 2);

    /* No iteration. */
    RUN(int, 0, i < 0, ++i);
    RUN(int, 10, i < 5, ++i);
    RUN(int, 0, i > 0, --i);
    RUN(int, -5, i >= 5, --i);
    RUN(unsigned, 5u, i < 5u, ++i);
    RUN(unsigned, 7u, i < u0, ++i);
    RUN(unsigned, u0, i > 9u, --i);
    RUN(long long, big, i < -big, ++i);
    RUN(int, 3, i != 3, ++i);
    RUN(int, INT_MAX, i < INT_MIN, ++i);

    int near_top = INT_MAX - 500, minus_five = -5, ten = 10;
    unsigned near_end = UINT_MAX - 500, three = 3;
    short minus_three = -3;
    unsigned char step = 250;
    long long minus_four = -4;
    MIXED(long, near_top, i < INT_MAX + 1000L, ++i);
    MIXED(long, near_end, i < UINT_MAX + 1000L, ++i);
    MIXED(long, three, i > -20, --i);
    MIXED(unsigned, near_top, i < INT_MAX + 500u, ++i);
    MIXED(long, INT_MAX - 5, i < INT_MAX + 5L, ++i);
    MIXED(long, 0, i < 10000000000, i += 1000000000);
    MIXED(unsigned, 4000000000u, i > 100, i -= 1000000000);
    MIXED(int, INT_MIN, i < INT_MAX - 1000000000, i += 1000000000);
    MIXED(short, minus_three, i < three, ++i);
    MIXED(short, minus_three, i < UINT_MAX, ++i);
    MIXED(unsigned, minus_five, i < -1, ++i);
    MIXED(unsigned, ten, i > minus_five, --i);
    MIXED(unsigned, 10, i > -5, --i);
    MIXED(unsigned, UINT_MAX, i > minus_five, --i);
    MIXED(signed char, 200, i < 10, ++i);
    MIXED(unsigned char, 300, i < 60, ++i);
    MIXED(unsigned char, -6, i < 255, ++i);
    MIXED(signed char, -128, i < 120, i += 9);
    MIXED(int, ten, i >= minus_three, i -= three);
    MIXED(unsigned, ten, i >= three, i += -2);
    MIXED(int, minus_five, i <= step, i += step);
    MIXED(unsigned long, 10, i < minus_four - (1LL << 62), i += 1UL << 62);
    MIXED(long long, minus_four, i <= ten, i += three);
    return CHECK_RESULT();
}
