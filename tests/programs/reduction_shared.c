/* Reductions over arrays of which the threads of a team share one copy, or which fit into no team's memory. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define N 50021

struct item {
    int key;
    float weight;
};
static unsigned char *byte;
static struct item *item;
static int *key;

static unsigned next(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

/* Loops stand twice: with a directive, and for the host. */
static void constant_lengths(void)
{
    int bins[2][256] = {{1, 2}, {1, 2}}, most[2][16][20];
    unsigned long bits[2][70] = {{0}};
    double sums[2][3][500] = {{{0}}};

    for (int i = 0; i < 2 * 16 * 20; ++i)
        (&most[0][0][0])[i] = i % 320 % 7;
    for (int side = 0; side < 2; ++side) {
        int(*h) = bins[side], (*m)[20] = most[side];
        double(*s)[500] = sums[side];
        unsigned long *b = bits[side];
#define BODY                                                                  \
    {                                                                         \
        h[byte[i]]++;                                                         \
        if (byte[i] > 100) {                                                  \
            h[byte[i] - 100] += 2;                                            \
            if (i % 3 == 0)                                                   \
                continue;                                                     \
        }                                                                     \
        if (key[i] * 3 > m[i % 16][key[i] % 20])                              \
            m[i % 16][key[i] % 20] = key[i] * 3;                              \
        b[(key[i] + i) % 70] ^= 1ul << i % 63;                                \
        for (int j = 0; j < 3; ++j)                                           \
            s[j][(key[i] + j) % 500] = s[j][(key[i] + j) % 500] - j * 0.5;    \
    }
        if (side)
            for (int i = 0; i < N; ++i)
                BODY
        else
#pragma omp target teams distribute parallel for map(to: byte[0:N], key[0:N]) reduction(+: h[0:256]) \
    reduction(max: m[0:16]) reduction(^: b[0:70]) reduction(-: s[0:3])
            for (int i = 0; i < N; ++i)
                BODY
#undef BODY
    }
    CHECK(memcmp(bins[0], bins[1], sizeof bins[0]) == 0);
    CHECK(memcmp(most[0], most[1], sizeof most[0]) == 0);
    CHECK(memcmp(bits[0], bits[1], sizeof bits[0]) == 0);
    CHECK(memcmp(sums[0], sums[1], sizeof sums[0]) == 0);
}

/* Lengths that only the run knows: `few` fit into shared memory, `many` do not, `first` is where the section begins. */
static void lengths_of_the_run(int few, int many, int first)
{
    float *f[2];
    long *p[2];

    for (int side = 0; side < 2; ++side) {
        float *a = f[side] = (float *)calloc(few, sizeof *a);
        long *b = p[side] = (long *)calloc(many + first, sizeof *b);
#define BODY                                                                  \
    {                                                                         \
        a[item[i].key % few] += item[i].weight;                               \
        if (i % 5 == 0)                                                       \
            a[item[i].key % few] -= 1.0;                                      \
        b[first + key[i] % many] += key[i];                                   \
    }
        if (side)
            for (int i = 0; i < N; ++i)
                BODY
        else
#pragma omp target teams distribute parallel for map(to: item[0:N], key[0:N]) reduction(+: a[0:few], b[first:many])
            for (int i = 0; i < N; ++i)
                BODY;
#undef BODY
    }
    CHECK(memcmp(f[0], f[1], few * sizeof *f[0]) == 0);
    CHECK(memcmp(p[0], p[1], (many + first) * sizeof *p[0]) == 0);
    for (int side = 0; side < 2; ++side)
        free(f[side]), free(p[side]);
}

/* A long array, in one team, and in teams that are smaller than a warp; both beside a scalar. */
static void other_launches(void)
{
    static int v[2][9000], w[2][100];
    int sum[2] = {0, 0};

    for (int side = 0; side < 2; ++side) {
        int *a = v[side], *b = w[side], s = 0;
#define BODY                                                                  \
    {                                                                         \
        a[(key[i] * 5u + i) % 9000] |= 1 << i % 31;                           \
        s += key[i] & 3;                                                      \
    }
        if (side)
            for (int i = 0; i < N; ++i)
                BODY
        else
#pragma omp target parallel for map(to: key[0:N]) reduction(|: a[:9000]) reduction(+: s)
            for (int i = 0; i < N; ++i)
                BODY;
#undef BODY
#define BODY b[key[i] % 100] = b[key[i] % 100] + i
        if (side)
            for (int i = 0; i < N; ++i)
                BODY;
        else
#pragma omp target teams distribute parallel for map(to: key[0:N]) num_teams(5) thread_limit(20) \
    schedule(static, 3) reduction(+: b[0:100])
            for (int i = 0; i < N; ++i)
                BODY;
#undef BODY
        sum[side] = s;
    }
    CHECK(memcmp(v[0], v[1], sizeof v[0]) == 0);
    CHECK(memcmp(w[0], w[1], sizeof w[0]) == 0);
    CHECK(sum[0] == sum[1]);
}

int main(void)
{
    unsigned seed = 5;

    byte = (unsigned char *)malloc(N), item = (struct item *)malloc(N * sizeof *item), key = (int *)malloc(N * sizeof *key);
    for (int i = 0; i < N; ++i) {
        byte[i] = next(&seed) & 255, key[i] = next(&seed) % 9000;
        item[i].key = next(&seed) % 8000, item[i].weight = next(&seed) % 8;
    }
    constant_lengths();
    lengths_of_the_run(777, 9000, 0);
    lengths_of_the_run(5000, 40, 7);
    lengths_of_the_run(1, 1, 1);
    other_launches();
    free(byte), free(item), free(key);
    return CHECK_RESULT();
}
