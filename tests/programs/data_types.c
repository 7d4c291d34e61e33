/* Element and scalar types: char, short, _Bool, float, enum, 64-bit, pointers, mapped, firstprivate and in expressions. */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

#define N 130

enum level { LOW = -1, MIDDLE, HIGH = 1000000 };

int main(void)
{
    unsigned char bytes[N], byte = 250;
    signed char signs[N], sign = -7;
    short shorts[N], half = -1234;
    unsigned short words[N], word = 65000;
    bool flags[N], flag = true;
    float floats[N], f = 1.5f;
    double doubles[N], d = -0.125;
    int64_t longs[N], l = -(1LL << 50);
    uint64_t unsigned_longs[N], u = UINT64_MAX;
    enum level levels[N], level = HIGH;

#pragma omp target teams distribute parallel for \
    map(from: bytes, signs, shorts, words, flags, floats, doubles, longs, unsigned_longs, levels)
    for (int i = 0; i < N; ++i) {
        bytes[i] = byte + i;
        signs[i] = (signed char)(sign - i % 100);
        shorts[i] = half * (i % 20);
        words[i] = word + i * 10;
        flags[i] = flag && i & 4;
        floats[i] = f * i;
        doubles[i] = d / (i + 1);
        longs[i] = l + i;
        unsigned_longs[i] = u - i;
        levels[i] = i % 3 == 0 ? level : i % 3 == 1 ? LOW : MIDDLE;
    }
    for (int i = 0; i < N; ++i) {
        CHECK(bytes[i] == (unsigned char)(250 + i) && signs[i] == -7 - i % 100);
        CHECK(shorts[i] == -1234 * (i % 20) && words[i] == (uint16_t)(65000 + i * 10));
        CHECK(flags[i] == ((i & 4) != 0) && floats[i] == 1.5f * (float)i && doubles[i] == -0.125 / (i + 1));
        CHECK(longs[i] == i - (1LL << 50) && unsigned_longs[i] == UINT64_MAX - (uint64_t)i);
        CHECK(levels[i] == (i % 3 == 0 ? HIGH : i % 3 == 1 ? LOW : MIDDLE));
    }

    /* Mapped scalars of every width. */
#pragma omp target map(tofrom: byte, sign, half, word, flag, f, d, l, u, level)
    {
        byte += 10;
        sign = -sign;
        half /= 2;
        word++;
        flag = !flag;
        f *= f;
        d = -d;
        l >>= 40;
        u /= 3;
        level = LOW;
    }
    CHECK(byte == 4 && sign == 7 && half == -617 && word == 65001 && !flag && f == 2.25f && d == 0.125);
    CHECK(l == -1024 && u == 6148914691236517205ULL && level == LOW);

    /* Usual arithmetic conversions. */
    int results[8];
    unsigned one = 1u;
    int minus = -1;
    char c = 'A';
#pragma omp target map(from: results)
    {
        results[0] = minus < (int)one;
        results[1] = (unsigned)minus < one;
        results[2] = byte + sign > 10;
        results[3] = (int)sizeof(c + c) + (int)sizeof 'a' + (int)sizeof(float) + (int)sizeof(flag);
        results[4] = (unsigned char)(byte - 5) > 200;
        results[5] = -7 / 2 * 10 + -7 % 3;
        results[6] = c + 1 == 'B' ? '\x42' : '\0';
        results[7] = (short)70000 + (signed char)200;
    }
    for (int i = 0; i < 8; ++i)
        printf("%d ", results[i]);
    printf("\n");
    return CHECK_RESULT();
}
