/* atomic update: every form and operator, on every width of integer and on floating-point variables. */
#include "check.h"

#define N 256

int main(void)
{
    int up = 0, down = 0, sum = 0, difference = 1000, reversed = 0, bits = 0, mask = -1, odd = 0, shifted = 1 << 30;
    unsigned char byte = 0;
    short small = 0;
    unsigned wide = 0;
    long long huge = 0;
    unsigned long long product = 1;
    float f = 0;
    double d = 1, quotient = 1048576;

#pragma omp target teams distribute parallel for \
    map(tofrom: up, down, sum, difference, bits, mask, odd, byte, small, wide, huge, f, d)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        up++;
#pragma omp atomic update
        --down;
#pragma omp atomic
        sum += i;
#pragma omp atomic
        difference = difference - 2;
#pragma omp atomic
        bits |= 1 << (i % 9);
#pragma omp atomic
        mask &= ~(1 << (i % 5));
#pragma omp atomic
        odd ^= i;
#pragma omp atomic
        byte += 3;
#pragma omp atomic
        small = 2 + small;
#pragma omp atomic
        wide += 4000000000u;
#pragma omp atomic
        huge -= 1LL << 33;
#pragma omp atomic
        f += 0.5f;
#pragma omp atomic
        d += i * 0.25;
    }
    CHECK(up == 256 && down == -256 && sum == 32640 && difference == 488);
    CHECK(bits == 511 && mask == ~31 && odd == 0);
    CHECK(byte == 0 && small == 512 && wide == (unsigned)(256 * 4000000000ULL) && huge == -(1LL << 41));
    CHECK(f == 128.0f && d == 8161.0);

#pragma omp target parallel for map(tofrom: product, quotient, shifted)
    for (int i = 0; i < 20; ++i) {
#pragma omp atomic
        product *= 3;
#pragma omp atomic
        quotient /= 2;
#pragma omp atomic
        shifted >>= 1;
    }
    CHECK(product == 3486784401ULL && quotient == 1.0 && shifted == 1024);

    /* x = expr - x, where the order does not matter after an even number of updates. */
    reversed = 7;
#pragma omp target parallel for map(tofrom: reversed)
    for (int i = 0; i < 100; ++i) {
#pragma omp atomic
        reversed = 50 - reversed;
    }
    CHECK(reversed == 7);

    /* Elements of arrays, members, and what pointers lead to. */
    int histogram[16] = {0};
    struct { int n; double weight; } s = {0, 0};
#pragma omp target teams distribute parallel for map(tofrom: histogram, s)
    for (int i = 0; i < N; ++i) {
        int *slot = &histogram[i * i % 16];
#pragma omp atomic
        *slot += 1;
#pragma omp atomic
        histogram[(i + 1) % 16]++;
#pragma omp atomic
        s.n += 1;
#pragma omp atomic
        s.weight += 0.125;
    }
    for (int k = 0; k < 16; ++k)
        printf("%d ", histogram[k]);
    printf("%d %.1f\n", s.n, s.weight);

    volatile int count = 0, seen = 0, cells[4] = {0};
#pragma omp target teams distribute parallel for map(tofrom: count, cells, seen) /* volatile objects */
    for (int i = 0; i < N; ++i) {
        volatile unsigned char *parts = (volatile unsigned char *)&cells[2];
        int before;
#pragma omp atomic
        count++;
#pragma omp atomic
        cells[i & 1] += i;
#pragma omp atomic
        parts[i & 1] |= 1;
#pragma omp atomic capture
        before = seen++;
        if (before < 0) {
#pragma omp atomic write
            count = before;
        }
    }
    CHECK(count == N && seen == N && cells[0] + cells[1] == N * (N - 1) / 2 && cells[2] == 0x101);
    return CHECK_RESULT();
}
