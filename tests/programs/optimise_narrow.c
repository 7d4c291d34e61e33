/* Loops over elements of one or two bytes, of which a thread runs several iterations, with arrays that overlap or not. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define N 300007 /* more than a GPU runs threads at a time */

static void look_up(int n, const unsigned char *from, unsigned char *to, const unsigned char *table)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        to[i] = table[from[i]] + (unsigned char)i;
}

static void shrink(int width, int height, const short *from, unsigned char *to)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            if (from[y * width + x] < 0)
                continue;
            to[y * width + x] = (unsigned char)(from[y * width + x] >> 2);
        }
}

static long count(int n, const unsigned char *of, int *counts)
{
    long total = 0;
#pragma omp target teams distribute parallel for reduction(+: total, counts[0:256]) num_teams(3)
    for (int i = n - 1; i >= 0; i -= 2) {
        counts[of[i]]++;
        total += of[i];
    }
    return total;
}

/* The copy that a team shares is no array whose size can be asked for. */
static long spread(int n, const unsigned char *from)
{
    long total = 0;
    int counts[96] = {0};
#pragma omp target teams distribute parallel for reduction(+: counts)
    for (int i = 0; i < n; ++i)
        counts[from[i] % (sizeof counts / sizeof counts[0])] += sizeof counts == 96 * sizeof(int);
    for (int b = 0; b < 96; ++b)
        total += (b + 1L) * counts[b];
    return total;
}

int main(void)
{
    unsigned char *memory = (unsigned char *)calloc(4, N), *wanted = (unsigned char *)malloc(4 * N);
    unsigned char *from = memory, *to = memory + N, table[256];
    short *wide = (short *)malloc(N * sizeof *wide);
    static int counts[256], counted[256];
    for (int k = 0; k < 256; ++k)
        table[k] = (unsigned char)(k * 37);
    for (int i = 0; i < N; ++i)
        from[i] = (unsigned char)(i * 7 + i / 99), wide[i] = (short)(i * 5);
#pragma omp target data map(tofrom: memory[0:4 * N]) map(to: table, wide[0:N])
    {
        /* Apart, in place, and into the memory from which the next one reads. */
        const int lengths[] = {N, 1, 1000, 0};
        for (int k = 0; k < 4; ++k) {
#pragma omp target update to(memory[0:4 * N])
            memcpy(wanted, memory, 4 * N);
            for (int i = 0; i < lengths[k]; ++i)
                wanted[N + i] = (unsigned char)(table[wanted[i]] + i);
            for (int i = 0; i < lengths[k]; ++i)
                wanted[N + i] = (unsigned char)(table[wanted[N + i]] + i);
            look_up(lengths[k], from, to, table);
            look_up(lengths[k], to, to, table);
#pragma omp target update from(memory[0:4 * N])
            CHECK(memcmp(wanted, memory, 4 * N) == 0);
        }
        const int widths[] = {N / 700, 31, 64 * 9, N};
        for (int k = 0; k < 4; ++k) {
            const int width = widths[k], height = N / width;
            for (int i = 0; i < width * height; ++i)
                if (wide[i] >= 0)
                    wanted[2 * N + i] = (unsigned char)(wide[i] >> 2);
            shrink(width, height, wide, memory + 2 * N);
        }
#pragma omp target update from(memory[0:4 * N])
        CHECK(memcmp(wanted, memory, 4 * N) == 0);
        long total = 0;
        for (int i = N - 1; i >= 0; i -= 2)
            counted[from[i]]++, total += from[i];
        CHECK(count(N, from, counts) == total);
        CHECK(memcmp(counts, counted, sizeof counts) == 0);
        total = 0;
        for (int i = 0; i < N; ++i)
            total += from[i] % 96 + 1;
        CHECK(spread(N, from) == total);
    }
    free(memory), free(wanted), free(wide);
    return CHECK_RESULT();
}
