/* Loop variables of every integer type, with their extreme values, and loops without iterations. */
// reference: -Wno-unknown-pragmas
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
    return CHECK_RESULT();
}
