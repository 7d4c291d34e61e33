/* reduction on every arithmetic type: sum, minimum, maximum, and for integers the bitwise operators. */
#include "check.h"

#include <stdbool.h>

#define N 200

/* Values small enough that sums are exact in every type; unsigned char's sum wraps around, as it does in C. */
#define DEFINE(name, type)                                                                       \
    static void name(void)                                                                       \
    {                                                                                            \
        type data[N], sum = 1, low = 100, high = 0;                                              \
        double expected = 1;                                                                     \
        for (int i = 0; i < N; ++i) {                                                            \
            data[i] = (type)(i % 7 == 3 ? 2 : i % 2);                                            \
            expected += (double)data[i];                                                         \
        }                                                                                        \
        data[77] = 0;                                                                            \
        data[99] = 9;                                                                            \
        expected += 9 - (double)((99 % 7 == 3) ? 2 : 99 % 2);                                    \
        expected -= (double)((77 % 7 == 3) ? 2 : 77 % 2);                                        \
        _Pragma("omp target teams distribute parallel for reduction(+: sum) map(to: data) \
                 reduction(min: low) reduction(max: high)")                                      \
        for (int i = 0; i < N; ++i) {                                                            \
            sum += data[i];                                                                      \
            low = data[i] < low ? data[i] : low;                                                 \
            high = data[i] > high ? data[i] : high;                                              \
        }                                                                                        \
        CHECK(sum == (type)expected && low == 0 && high == 9);                                   \
        printf("%s %.0f\n", #type, (double)sum);                                                 \
    }

#define DEFINE_BITS(name, type)                                                                  \
    static void name(void)                                                                       \
    {                                                                                            \
        type all = (type)~(type)0, any = 0, odd = 0;                                             \
        _Pragma("omp target parallel for reduction(&: all) reduction(|: any) reduction(^: odd)") \
        for (int i = 1; i < 100; ++i) {                                                          \
            all &= (type)(i | 0x21);                                                             \
            any |= (type)(1 << (i % 6));                                                         \
            odd ^= (type)i;                                                                      \
        }                                                                                        \
        CHECK(all == 0x21 && any == 0x3f && odd == 0);                                           \
    }

DEFINE(of_char, char)
DEFINE(of_signed_char, signed char)
DEFINE(of_unsigned_char, unsigned char)
DEFINE(of_short, short)
DEFINE(of_unsigned_short, unsigned short)
DEFINE(of_int, int)
DEFINE(of_unsigned, unsigned)
DEFINE(of_long, long)
DEFINE(of_unsigned_long, unsigned long)
DEFINE(of_long_long, long long)
DEFINE(of_unsigned_long_long, unsigned long long)
DEFINE(of_float, float)
DEFINE(of_double, double)
DEFINE_BITS(bits_of_unsigned_char, unsigned char)
DEFINE_BITS(bits_of_short, short)
DEFINE_BITS(bits_of_unsigned, unsigned)
DEFINE_BITS(bits_of_long_long, long long)

int main(void)
{
    void (*const all[])(void) = {of_char,       of_unsigned_char, of_short,         of_unsigned_short, of_signed_char,
                                 of_int,        of_unsigned,      of_long,          of_unsigned_long,
                                 of_long_long,  of_float,         of_double,        of_unsigned_long_long,
                                 bits_of_short, bits_of_unsigned, bits_of_long_long, bits_of_unsigned_char};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        all[i]();

    bool any = false, every = true;
    double truth = 2.5;
#pragma omp target teams distribute parallel for reduction(||: any) reduction(&&: every) reduction(&&: truth)
    for (int i = 0; i < N; ++i) {
        any = any || i == 150;
        every = every && i < N;
        truth = truth && i >= 0;
    }
    CHECK(any && every && truth == 1.0);

    volatile int total = 3, cells[3] = {1, 2, 3};
    volatile double product = 1, inner = 0;
#pragma omp target teams distribute parallel for reduction(+: total, cells) reduction(*: product)
    for (int i = 0; i < N; ++i) {
        total += i;
        cells[i % 3] += 1;
        product *= 1;
    }
#pragma omp target map(tofrom: inner, total)
    {
#pragma omp parallel for reduction(+: inner) lastprivate(total)
        for (int i = 0; i < N; ++i) {
            inner += i;
            total = i;
        }
    }
    CHECK(total == N - 1 && cells[0] == 68 && cells[1] == 69 && cells[2] == 69 && product == 1 && inner == 19900);

    volatile int *behind = cells;
#pragma omp target teams distribute parallel for reduction(+: behind[1:2])
    for (int i = 0; i < N; ++i)
        behind[1 + i % 2] += 1;
    CHECK(cells[0] == 68 && cells[1] == 69 + N / 2 && cells[2] == 69 + N / 2);
    return CHECK_RESULT();
}
