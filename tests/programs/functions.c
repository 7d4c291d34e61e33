/* Functions called from regions: helpers of helpers, defined later, with pointers, arrays, structures and results. */
#include "check.h"

#include <stddef.h>

#define N 80

typedef struct {
    double re, im;
} complex_number;

static complex_number multiply(complex_number a, complex_number b);
static double norm(complex_number z);
static int escape_time(complex_number c, int limit);

static inline int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void swap(int *a, int *b)
{
    const int t = *a;
    *a = *b;
    *b = t;
}

static void sort(int values[], size_t n)
{
    for (size_t i = 1; i < n; ++i)
        for (size_t k = i; k > 0 && values[k - 1] > values[k]; --k)
            swap(&values[k - 1], &values[k]);
}

static int row_sum(const int m[][6], int row)
{
    int sum = 0;
    for (int j = 0; j < 6; ++j)
        sum += m[row][j];
    return sum;
}

static int weighted(int columns, int m[][columns], int row)
{
    int sum = 0;
    for (int j = 0; j < columns; ++j)
        sum += (j + 1) * m[row][j];
    return sum;
}

/* Not static, and also called by the host. */
int collatz_steps(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    return steps;
}

static void nothing(void)
{
}

int main(void)
{
    int times[N], steps[N], sorted[N], sums[8], m[8][6];

#pragma omp target teams distribute parallel for map(from: times, steps)
    for (int i = 0; i < N; ++i) {
        complex_number c = {-2.0 + 3.0 * i / N, 0.3};
        times[i] = escape_time(c, 50);
        steps[i] = clamp(collatz_steps((unsigned)i + 1), 2, 100);
        nothing();
    }
    for (int i = 0; i < N; ++i) {
        complex_number c = {-2.0 + 3.0 * i / N, 0.3};
        CHECK(times[i] == escape_time(c, 50));
        CHECK(steps[i] == clamp(collatz_steps((unsigned)i + 1), 2, 100));
    }

    for (int i = 0; i < N; ++i)
        sorted[i] = (i * 37) % N;
#pragma omp target map(tofrom: sorted)
    sort(sorted, N);
    for (int i = 0; i < N; ++i)
        CHECK(sorted[i] == i);

    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 6; ++j)
            m[i][j] = i + j;
#pragma omp target parallel for map(to: m) map(from: sums)
    for (int i = 0; i < 8; ++i)
        sums[i] = row_sum((const int(*)[6])m, i) * 1000 + weighted(6, m, i);
    for (int i = 0; i < 8; ++i)
        CHECK(sums[i] == (6 * i + 15) * 1000 + 21 * i + 70);
    printf("%d %d %d\n", times[10], steps[26], sums[7]);
    return CHECK_RESULT();
}

static complex_number multiply(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static double norm(complex_number z)
{
    return z.re * z.re + z.im * z.im;
}

static int escape_time(complex_number c, int limit)
{
    complex_number z = {0, 0};
    int n = 0;
    while (n < limit && norm(z) <= 4.0) {
        z = multiply(z, z);
        z.re += c.re;
        z.im += c.im;
        ++n;
    }
    return n;
}
