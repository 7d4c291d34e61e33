/* Elements of one array that lie apart wherever the loops' variables are: rows of an elimination, what stands in front of a
   loop's first element, and what one iteration alone reaches. Beside each of them stand numbers where they meet. */
#include "check.h"
#include <string.h>

#define SIZE 4096

static double array[SIZE], want[SIZE];

static void fill(double *a)
{
    for (int k = 0; k < SIZE; ++k)
        a[k] = k % 17 + 2 + (k % 5) * 0.25;
}

#define NUMBERS int n, int w, int t, int k, double *a, double *b

/* A function for the device and one for the host with the same loops. */
#define BOTH(name, before, ...)                                                                      \
    static void name(NUMBERS)                                                                        \
    {                                                                                                \
        before                                                                                       \
        _Pragma("omp target teams distribute parallel for num_teams(3)")                             \
        __VA_ARGS__                                                                                  \
    }                                                                                                \
    static void name##_host(NUMBERS) { before __VA_ARGS__ }

BOTH(rows, , for (int i = t + 1; i < n; ++i) {
    const double factor = a[i * w + t] * 0.25 + a[t * w + t] * 0.5; /* exact, as are the products: devices may fuse them */
    for (int j = t + k; j < n; ++j)
        a[i * w + j] -= factor * a[t * w + j];
})

BOTH(rows_down, , for (int i = t - 1; i >= 0; i -= 2)
    for (int j = t - k; j >= 0; --j)
        a[i * w + j] += a[i * w + t] * a[t * w + j];)

BOTH(rows_of_two_names, , for (int i = 0; i < n - 1 - t; ++i)
    for (int j = k; j < n - t; ++j) {
        a[w * (i + 1 + t) + (j + t)] -= b[w * (i + 1 + t) + t] * a[w * t + (j + t)];
        if (j == 1)
            b[w * (i + 1 + t)] += j;
    })

BOTH(one_row, , for (int i = n; i < n + 1; ++i)
    for (int j = 0; j < t; ++j)
        a[i * w + j] = a[k * w + j] + 1;)

BOTH(wider_steps, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < t; ++j)
        a[i * w + 2 * j] = a[i * w + j + k] + 1;)

BOTH(first_element, , for (int i = 0; i < n; ++i)
    for (unsigned j = 1; j < (unsigned)t; ++j)
        a[i * w + (int)j] += a[i * w + k] + 1;)

BOTH(unsigned_rows, const unsigned m = t; const unsigned from = k; const unsigned u = w;, for (unsigned i = 0; i < (unsigned)n; ++i)
    for (unsigned j = 1; j < m; ++j)
        a[i * u + j] += a[i * u + from] + 1;)

BOTH(wrapped, const unsigned shift = k; const unsigned at = t;, for (int i = 0; i < n; ++i) {
    double *row = a + i * w;
    for (unsigned j = 5; j < 25; ++j)
        row[j + shift] = row[at] + 1;
})

BOTH(wide_numbers, const long base = (1L << 60) + n; const long to = base + 20; const long at = base + t;, for (int i = 0; i < n; ++i) {
    double *row = a + i * w;
    for (long j = base + 1; j < to; ++j)
        row[j - base] = row[at - base] + 1;
})

BOTH(triangle, , for (int i = 0; i < n; ++i)
    for (int j = i + k; j < t; ++j)
        a[i * w + j] += a[i * w + i] + 1;)

BOTH(two_levels, , for (int i = 0; i < n; ++i)
    for (int j = 1; j < t; ++j)
        for (int l = k; l < w; ++l)
            a[(i * t + j) * w + l] += a[i * t * w + l] * a[(i * t + j) * w];)

BOTH(one_of_them, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < t; ++j) {
        if (j == k)
            b[i] += a[i * w + j];
        a[i * w + j] = j;
    })

BOTH(several_of_them, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < t; ++j) {
        if (j == k || j == 3)
            b[i] = b[i] * 2 + j;
        a[i * w + j] = j;
    })

BOTH(same_remainder, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * t; ++j) {
        if ((signed char)(16 * j) == k)
            b[i] = b[i] * 2 + j;
        a[i * w + j] = j;
    })

BOTH(all_others, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < t; ++j) {
        if (j != k)
            b[i] = b[i] * 2 + j;
        else
            b[i] += j;
        a[i * w + j] = j;
    })

BOTH(one_of_two_levels, , for (int i = 0; i < n; ++i)
    for (int j = 0; j < t; ++j)
        for (int l = 0; l < w; ++l) {
            if (j == k)
                b[i] = b[i] * 2 + l;
            a[(i * t + j) * w + l] = j;
        })

static int differ(void (*device)(NUMBERS), void (*host)(NUMBERS), int n, int w,
                  int t, int k, int first, int second)
{
    fill(array);
    fill(want);
#pragma omp target data map(tofrom: array)
    device(n, w, t, k, array + first, array + second);
    host(n, w, t, k, want + first, want + second);
    return memcmp(array, want, sizeof want) != 0;
}

#define SAME(name, ...) CHECK(!differ(name, name##_host, __VA_ARGS__))

int main(void)
{
    for (int n = 0; n < 4; ++n)
        for (int t = 0; t < 2; ++t)
            SAME(rows, n, 40, t, 1, 0, 0);
    for (int t = 0; t < 39; t += 6) {
        SAME(rows, 40, 50, t, 1, 0, 0);
        SAME(rows_down, 40, 50, t, 1, 0, 0);
        SAME(rows_of_two_names, 40, 50, t, 1, 0, 2048);
        SAME(rows_of_two_names, 40, 50, t, 1, 0, 0);
    }
    SAME(rows, 2, 1, 0, 0, 0, 0);
    SAME(rows, 30, 29, 28, 0, 0, 0);
    SAME(rows, 30, 3, 28, -20, 400, 0);
    SAME(rows_down, 0, 50, 1, 0, 0, 0);
    SAME(rows_down, 0, 3, 1, -30, 0, 0);
    for (int k = -21; k <= 21; ++k) {
        SAME(one_row, 30, 1, 20, 30 + k, 0, 0);
        SAME(one_row, 5, 19, 20, 5 + k % 2, 0, 0);
        SAME(one_row, 5, 20, 20, 5 + k % 2, 0, 0);
        SAME(one_row, 5, -19, 20, 5 + k % 2, 2000, 0);
        SAME(one_row, 5, 0, 20, k, 100, 0);
    }
    for (int k = 0; k < 60; ++k)
        SAME(wider_steps, 8, 100, 20, k, 0, 0);
    for (int k = -2; k < 35; ++k) {
        SAME(first_element, 8, 100, 30, k, 500, 0);
        SAME(first_element, 8, 100, 0, k, 500, 0);
        SAME(wide_numbers, 8, 100, k, 0, 500, 0);
        SAME(wrapped, 8, 100, k + 2, 7, 500, 0);
        SAME(wrapped, 8, 100, k + 2, -5, 500, 0);
    }
    for (int k = 0; k < 35; ++k)
        SAME(unsigned_rows, 8, 100, 30, k, 500, 0);
    for (int k = 0; k < 3; ++k) {
        SAME(triangle, 30, 60, 40, k, 0, 0);
        SAME(two_levels, 6, 12, 20, k, 0, 0);
        SAME(two_levels, 6, 1, 20, k, 0, 0);
    }
    for (int k = 0; k < 18; ++k) {
        SAME(one_of_them, 20, 60, 17, k, 1000, 0);
        SAME(several_of_them, 20, 60, 17, k, 1000, 0);
        SAME(same_remainder, 20, 60, 17, k, 1000, 0);
        SAME(all_others, 20, 60, 17, k, 1000, 0);
        SAME(one_of_two_levels, 8, 10, 17, k, 1000, 0);
    }
    return CHECK_RESULT();
}
