/* Loops inside distributed ones that begin where these are, and have as many iterations each time: tiles, bands and rows. */
#include "check.h"
#include <string.h>

#define SIZE 8192

static double array[SIZE], want[SIZE];
static int starts[64];

static void fill(double *a)
{
    for (int k = 0; k < SIZE; ++k)
        a[k] = k % 17 + 2 + (k % 5) * 0.25;
}

#define NUMBERS int n, int w, int t, int k, double *a, double *b, int *c

/* A function for the device and one for the host with the same loops. */
#define BOTH(name, before, ...)                                      \
    static void name(NUMBERS)                                        \
    {                                                                \
        before                                                       \
        _Pragma("omp target teams distribute parallel for")          \
        __VA_ARGS__                                                  \
    }                                                                \
    static void name##_host(NUMBERS) { before __VA_ARGS__ }

BOTH(transposed, , for (int row = 0; row < n * 16; row += 16)
    for (int r = row; r < row + 16; ++r)
        for (int q = 0; q < t; ++q)
            b[q * w + r] = a[r * t + q];)

BOTH(tiles, , for (int i = 0; i < n; ++i) {
    const int first = i * 8;
    const int end = first + 8;
    for (int r = first; r < end; ++r)
        for (int q = i * k; q <= i * k + 20; q += 3)
            a[r * w + q] = a[r * w + q] * 2 + r + q;
})

BOTH(not_equal, , for (int i = n - 1; i >= 0; i -= 1)
    for (int r = i * 8 + k; r != i * 8 + k + 8; ++r)
        a[r] += r;)

BOTH(as_long_as_the_run_says, , for (int i = 0; i < n; ++i)
    for (int r = i * 40; r < i * 40 + t; r += 2)
        a[r] += r * k;)

BOTH(from_memory, , for (int i = 0; i < n; ++i)
    for (int r = c[i]; r < c[i] + 8; ++r)
        a[r] = r + i;)

BOTH(depends_on_the_one_before, , for (int i = 0; i < n; ++i)
    for (int r = i * 40 + 1; r < i * 40 + 33; ++r)
        a[r] = a[r - 1] + 1;)

BOTH(half_of_them, , for (int i = 0; i < n; ++i)
    for (int r = i * 40 + 1; r < i * 40 + 33; r += 2)
        a[r] = a[r - 1] + a[r + 1];)

BOTH(in_one_another, , for (int i = 0; i < n; ++i)
    for (int r = i * 40; r < i * 40 + 8; ++r)
        for (int q = r; q < r + 4; ++q)
            a[r * 4 + q - r] += q;)

BOTH(triangles_in_tiles, , for (int i = 0; i < n; ++i)
    for (int r = i * 8; r < i * 8 + 8; ++r)
        for (int q = i * 8; q <= r; ++q)
            a[r * w + q] += q + r;)

BOTH(begins_with_a_choice, , for (int i = 0; i < n; ++i)
    for (int r = i * 40; r < i * 40 + 32; r += 2)
        a[r] += a[r > 0 ? r - 1 : 31] + a[i * 40 + (r - i * 40 < 31 ? 33 : 35)];)

BOTH(first_of_each, , for (int i = 0; i < n; ++i)
    for (int r = i * 40 + k; r < i * 40 + k + 32; ++r)
        a[r] += a[i * 40];)

BOTH(moves_on, int at = k;, for (int i = 0; i < n; ++i) {
    int from = i * 40;
    if (c[i] % 2)
        from += 3;
    for (int r = from; r < from + 32; ++r)
        a[r] += r + at;
})

BOTH(unsigned_ones, const unsigned m = n;, for (unsigned i = 0; i < m; ++i)
    for (unsigned r = i * 40 - 16; r < i * 40 + 16; ++r)
        a[r] += r;)

static int differ(void (*device)(NUMBERS), void (*host)(NUMBERS), int n, int w, int t, int k, int first)
{
    fill(array);
    fill(want);
#pragma omp target data map(tofrom: array) map(to: starts)
    device(n, w, t, k, array + first, array + 4096, starts);
    host(n, w, t, k, want + first, want + 4096, starts);
    return memcmp(array, want, sizeof want) != 0;
}

#define SAME(name, ...) CHECK(!differ(name, name##_host, __VA_ARGS__))

int main(void)
{
    for (int i = 0; i < 64; ++i)
        starts[i] = (i * 37 % 64) * 9;
    for (int n = 0; n < 6; ++n) {
        SAME(transposed, n, 96, 24, 0, 0);
        SAME(transposed, n, 15, 1, 0, 0);
        SAME(transposed, n, n * 16, 24, 0, 0);
        SAME(tiles, n, 200, 0, 30, 0);
        SAME(tiles, n, 200, 0, 0, 0);
        SAME(tiles, n, 200, 0, -30, 300);
        SAME(triangles_in_tiles, n, 64, 0, 0, 0);
    }
    for (int k = -3; k < 4; ++k) {
        SAME(not_equal, 20, 0, 0, k, 10);
        SAME(as_long_as_the_run_says, 20, 0, 10 * k + 1, k, 10);
        SAME(first_of_each, 20, 0, 0, k, 10);
        SAME(moves_on, 20, 0, 0, k, 10);
    }
    SAME(from_memory, 64, 0, 0, 0, 0);
    SAME(depends_on_the_one_before, 20, 0, 0, 0, 0);
    SAME(half_of_them, 20, 0, 0, 0, 0);
    SAME(in_one_another, 20, 0, 0, 0, 0);
    SAME(begins_with_a_choice, 20, 0, 0, 0, 0);
    for (int n = 0; n < 20; ++n)
        SAME(unsigned_ones, n, 0, 0, 0, 0);
    return CHECK_RESULT();
}
