/* Teams that run one iteration each, and teams that run several: counts from none to many, with fewer teams than iterations,
 * by clauses too, with loops of every direction, type and depth, and with constant tables of the body's own. */
#include "check.h"

#define WIDTH 40
#define MOST 700

static int rows[MOST * WIDTH], wanted[MOST * WIDTH];

/* What every body does with its row: two parallel regions with a dependence, and a value for the whole row. */
#define BODY(row)                                                                                                      \
    static const int weights[3] = {5, 7, 11};                                                                          \
    int kept[WIDTH], most = 0;                                                                                         \
    PARALLEL_FOR for (int i = 0; i < WIDTH; ++i) kept[i] = rows[(row)*WIDTH + i] + weights[i % 3];                     \
    PARALLEL_FOR_MAX for (int i = 0; i < WIDTH; ++i) most = kept[i] > most ? kept[i] : most;                           \
    PARALLEL_FOR for (int i = 0; i < WIDTH; ++i) rows[(row)*WIDTH + i] += most - kept[WIDTH - 1 - i];

#define PARALLEL_FOR _Pragma("omp parallel for")
#define PARALLEL_FOR_MAX _Pragma("omp parallel for reduction(max: most)")

static void expect(int row, int times)
{
    static const int weights[3] = {5, 7, 11};
    for (; times > 0; --times) {
        int kept[WIDTH], most = 0;
        for (int i = 0; i < WIDTH; ++i) {
            kept[i] = wanted[row * WIDTH + i] + weights[i % 3];
            most = kept[i] > most ? kept[i] : most;
        }
        for (int i = 0; i < WIDTH; ++i)
            wanted[row * WIDTH + i] += most - kept[WIDTH - 1 - i];
    }
}

static void same(int line)
{
    for (int i = 0; i < MOST * WIDTH; ++i)
        if (rows[i] != wanted[i]) {
            printf("line %d: row %d, element %d is %d, not %d\n", line, i / WIDTH, i % WIDTH, rows[i], wanted[i]);
            ++check_failures;
            return;
        }
}

static void upwards(int n)
{
#pragma omp target teams distribute map(tofrom: rows)
    for (int t = 0; t < n; ++t) {
        BODY(t)
    }
    for (int t = 0; t < n; ++t)
        expect(t, 1);
    same(__LINE__);
}

static void few_teams(int n)
{
#pragma omp target teams distribute num_teams(3) thread_limit(16) map(tofrom: rows)
    for (long long t = n - 1; t >= 0; t -= 2) {
        BODY(t)
    }
    for (int t = n - 1; t >= 0; t -= 2)
        expect(t, 1);
    same(__LINE__);
}

static void strides(unsigned char from, unsigned short to, int step)
{
#pragma omp target teams distribute map(tofrom: rows)
    for (unsigned short t = from; t < to; t += step) {
        BODY(t)
    }
    for (int t = from; t < to; t += step)
        expect(t, 1);
    same(__LINE__);
}

static void collapsed(int n, int m)
{
#pragma omp target teams distribute collapse(2) map(tofrom: rows)
    for (int t = n; t > 0; --t)
        for (long u = 0; u < m; ++u) {
            BODY((t - 1) * m + u)
        }
    for (int t = 0; t < n * m; ++t)
        expect(t, 1);
    same(__LINE__);
}

static void bounds_of_the_device(int *n)
{
#pragma omp target teams distribute map(tofrom: rows) map(to: n[0:1])
    for (int t = 0; t < n[0]; ++t) {
        BODY(t)
    }
    for (int t = 0; t < n[0]; ++t)
        expect(t, 1);
    same(__LINE__);
}

int main(void)
{
    static const int counts[] = {0, -3, 1, 2, 31, 132, 133, MOST};
    for (int i = 0; i < MOST * WIDTH; ++i)
        rows[i] = wanted[i] = i * 31 % 101;
    for (int i = 0; i < (int)(sizeof counts / sizeof *counts); ++i) {
        int n = counts[i];
        upwards(n);
        few_teams(n);
        bounds_of_the_device(&n);
        collapsed(n / 5, 5);
    }
    strides(3, 255, 7);
    strides(200, MOST, 250);
    strides(200, 100, 1);
    return CHECK_RESULT();
}
