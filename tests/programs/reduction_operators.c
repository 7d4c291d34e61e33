/* reduction: every operator, on its own and several together, with initial values that count. */
#include "check.h"

#define N 1000

int main(void)
{
    static int a[N], flags[N];
    int sum = 5, difference = 100, all_bits = ~0, any_bit = 1 << 20, odd = 1, every = 1, some = 0;
    int smallest = 1 << 30, largest = -(1 << 30);
    long long product = 3;

    for (int i = 0; i < N; ++i) {
        a[i] = (i * 7919) % 1009 - 400;
        flags[i] = i % 10 != 11;
    }

#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += a[i];
#pragma omp target teams distribute parallel for reduction(-: difference)
    for (int i = 0; i < N; ++i)
        difference -= a[i] % 3;
#pragma omp target teams distribute parallel for reduction(*: product)
    for (int i = 0; i < 35; ++i)
        product *= 1 + (i % 2);
#pragma omp target parallel for reduction(&: all_bits)
    for (int i = 0; i < N; ++i)
        all_bits &= a[i] | 0xff0;
#pragma omp target parallel for reduction(|: any_bit)
    for (int i = 0; i < N; ++i)
        any_bit |= a[i] & 0x555;
#pragma omp target teams distribute parallel for reduction(^: odd)
    for (int i = 0; i < N; ++i)
        odd ^= a[i];
#pragma omp target teams distribute reduction(&&: every)
    for (int i = 0; i < N; ++i)
        every = every && flags[i];
#pragma omp target teams distribute parallel for reduction(||: some)
    for (int i = 0; i < N; ++i)
        some = some || a[i] == a[17];
#pragma omp target teams distribute parallel for simd reduction(min: smallest) reduction(max: largest)
    for (int i = 0; i < N; ++i) {
        if (a[i] < smallest)
            smallest = a[i];
        largest = a[i] > largest ? a[i] : largest;
    }
    printf("%d %d %lld %d %d %d %d %d %d %d\n", sum, difference, product, all_bits, any_bit, odd, every, some, smallest,
           largest);

    int expected_sum = 5, expected_odd = 1, expected_smallest = a[0], expected_largest = a[0];
    for (int i = 0; i < N; ++i) {
        expected_sum += a[i];
        expected_odd ^= a[i];
        expected_smallest = a[i] < expected_smallest ? a[i] : expected_smallest;
        expected_largest = a[i] > expected_largest ? a[i] : expected_largest;
    }
    CHECK(sum == expected_sum && odd == expected_odd);
    CHECK(smallest == expected_smallest && largest == expected_largest);
    CHECK(product == 3LL << 17);
    CHECK(every == 1 && some == 1);

    /* Values that are not 0 or 1 are true; what is combined gives 0 or 1. */
    int truth = 4, none = 0;
#pragma omp target teams distribute parallel for reduction(&&: truth) reduction(||: none)
    for (int i = 0; i < N; ++i) {
        truth = truth && (i + 2);
        none = none || 0;
    }
    CHECK(truth == 1 && none == 0);

    every = 1;
#pragma omp target parallel for reduction(&&: every)
    for (int i = 0; i < N; ++i)
        every = every && i != N - 1;
    CHECK(every == 0);

    /* Several variables in one clause, an empty loop, and the original value alone. */
    int u = 1, v = 2, w = 3;
#pragma omp target teams distribute parallel for reduction(+: u, v) reduction(max: w)
    for (int i = 0; i < N; ++i) {
        u += 1;
        v += 2;
        if (i > w)
            w = i;
    }
    CHECK(u == N + 1 && v == 2 * N + 2 && w == N - 1);
#pragma omp target teams distribute parallel for reduction(+: u) reduction(min: v)
    for (int i = 0; i < 0; ++i) {
        u += 1;
        v = 0;
    }
    CHECK(u == N + 1 && v == 2 * N + 2);
    return CHECK_RESULT();
}
