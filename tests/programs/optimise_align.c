/* Structures that a kernel accesses as a whole where they are aligned, and where they are not. */
#include "check.h"

#include <stdlib.h>

#define N 3000

struct point {
    float x, y, z, w;
};
struct pair {
    float re, im;
};
struct six {
    double a, b;
    float c, d, e, f;
};

static void move(int n, struct point *to, const struct point *from, const struct pair *by)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        to[i].x = from[i].x + by[i].re;
        to[i].y = from[i].y + by[i].im;
        to[i].z = from[i].z;
        to[i].w += from[i].w;
    }
}

static double total(int n, const struct six *s, const float (*rows)[4])
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += s[i].a + s[i].b + s[i].c + s[i].f + rows[i][0] * rows[i][3];
    return sum;
}

static void turn(int n, struct pair *all)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) {
        const struct pair one = all[i];
        if (one.re > 20) {
            all[i].re = one.im;
            continue;
        }
        all[i].im = one.re, all[i].re = -one.im;
    }
}

/* The arrays begin `shift` floats behind an aligned address. */
static void at(int shift)
{
    const int length = 40 * N + 8;
    float *memory = (float *)malloc(length * sizeof *memory);
    struct point *to = (struct point *)(memory + shift), *from = to + N;
    struct pair *by = (struct pair *)(from + N);
    struct six *six = (struct six *)(memory + 10 * N + 4 * N + 2 * (shift / 2));
    float(*rows)[4] = (float(*)[4])(memory + 30 * N + shift);

    for (int i = 0; i < length; ++i)
        memory[i] = i % 5;
    for (int i = 0; i < N; ++i) {
        to[i].w = 1, from[i].x = i, from[i].y = 2 * i, from[i].z = 3, from[i].w = 4;
        by[i].re = i % 50, by[i].im = 7, rows[i][0] = 2, rows[i][3] = i;
        six[i].a = 1, six[i].b = i, six[i].c = 2, six[i].f = 3;
    }
    double sum = 0;
#pragma omp target data map(tofrom: memory[0:length])
    {
        move(N, to, from, by);
        sum = total(N, six, (const float(*)[4])rows);
        turn(N, by);
    }
    int bad = 0;
    for (int i = 0; i < N; ++i) {
        const int re = i % 50, first = re > 20;
        bad += to[i].x != i + re || to[i].y != 2 * i + 7 || to[i].z != 3 || to[i].w != 5;
        bad += by[i].re != (first ? 7 : -7) || by[i].im != (first ? 7 : re);
    }
    CHECK(bad == 0);
    CHECK(sum == 6.0 * N + 3.0 * N * (N - 1) / 2);
    free(memory);
}

int main(void)
{
    for (int shift = 0; shift < 5; ++shift)
        at(shift);
    return CHECK_RESULT();
}
