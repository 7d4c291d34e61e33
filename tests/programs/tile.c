/* tile, unroll partial, reverse and interchange: the order of iterations, and what one iteration of a loop around them is, on both sides. */
// reference: -Wno-unknown-pragmas
#include <string.h>
#include "check.h"

#define N 11
#define M 7
#define ROWS 2
#define COLUMNS 3

/* The loops count the iterations as they come to them. */
static void by_rows(int n, int m, int order[N][M])
{
    int next = 0;
#pragma omp tile sizes(ROWS, COLUMNS)
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j)
            order[i][j] = next++;
    }
}

static void by_single_rows(int n, int m, int order[N][M], int width)
{
    int next = 0;
#pragma omp tile sizes(1, width)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
            if (j == 99)
                continue;
            order[i][j] = next++;
        }
}

static void downward(unsigned n, long m, int order[N][M])
{
    int next = 0;
    signed char j;
#pragma omp tile sizes(ROWS, COLUMNS)
    for (unsigned i = n; i > 0; --i)
        for (j = (signed char)(m - 1); j >= 0; j--)
            order[n - i][m - 1 - j] = next++;
}

static void in_steps(long long low, unsigned char m, int order[N][M])
{
    int next = 0;
#pragma omp tile sizes(ROWS, COLUMNS)
    for (long long i = low; i != low + N; i = i + 1)
        for (unsigned char j = 2; 3 * m > j; j += 3)
            order[i - low][(j - 2) / 3] = next++;
}

static void along_pointers(int *begin, int n, int order[N][M])
{
    int next = 0;
#pragma omp tile sizes(ROWS, COLUMNS)
    for (int *row = begin + (n - 1) * M; row >= begin; row -= M)
        for (int *at = &begin[0]; at < begin + M; at++)
            order[n - 1 - (row - begin) / M][at - begin] = next++;
}

/* Tiles of the tiles' own loop, and of a loop that is unrolled. */
static void twice(int n, int m, int order[N][M])
{
    int next = 0;
#pragma omp tile sizes(2)
#pragma omp tile sizes(2, 1)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            order[i][j] = next++;
}

static void unrolled(int n, int m, int order[N][M])
{
    int next = 0;
#pragma omp tile sizes(ROWS, 1)
    for (int i = 0; i < n; ++i)
#pragma omp unroll partial(COLUMNS)
        for (int j = 0; j < m; ++j)
            order[i][j] = next++;
}

static void last_first(unsigned char n, int m, int order[N][M])
{
    int next = 0;
    long j;
#pragma omp reverse
    for (unsigned char i = 0; i < n; i++)
#pragma omp reverse
        for (j = 3 * m + 1; j > 1; j -= 3)
            order[n - 1 - i][(j - 3) / 3] = next++;
}

static void by_columns(int n, int m, int order[M][N])
{
    int next = 0;
#pragma omp interchange
    for (int j = m; j >= 1; --j) {
        for (int i = 0; i < n; ++i)
            order[m - j][i] = next++;
    }
}

/* The innermost loop becomes the outermost one, and then one iteration of two. */
static void in_space(int *begin, int order[2][3][4])
{
    int next = 0;
#pragma omp tile sizes(2)
#pragma omp interchange permutation(3, 1, 2)
    for (int i = 0; i < 2; ++i)
        for (int *j = begin; j != begin + 3; ++j)
#pragma omp unroll partial(1)
            for (int k = 0; k < 4; ++k)
                order[i][j - begin][k] = next++;
}

static int reordered(int n)
{
    int order[N][M], columns[M][N], space[2][3][4], right = 1, sum = 0;

#pragma omp target map(from: order, columns, space) map(to: n)
    {
        last_first((unsigned char)n, M, order);
        by_columns(n, M, columns);
        in_space(space[0][0], space);
    }
#ifdef _OPENMP
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < M; ++j)
            right &= order[i][j] == i * M + j && columns[j][i] == i * M + j;
    for (int i = 0; i < 24; ++i)
        right &= space[i / 12][i / 4 % 3][i % 4] == i % 4 * 6 + i / 4;
#endif
#pragma omp target teams distribute parallel for collapse(2) reduction(+: sum)
#pragma omp interchange
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < M; j += 2)
            sum += i * j;
#pragma omp parallel for reduction(+: sum)
#pragma omp reverse
    for (int i = n; i > 0; --i)
        sum += i;
    CHECK(sum == n * (n - 1) / 2 * 9 + n * (n + 1) / 2);
    return right;
}

#ifdef _OPENMP
#define EXPECTED(order, n, m, rows, columns) CHECK(is_tiled(order, n, m, rows, columns))

static int is_tiled(int order[N][M], int n, int m, int rows, int columns)
{
    int next = 0, right = 1;
    for (int it = 0; it < n; it += rows)
        for (int jt = 0; jt < m; jt += columns)
            for (int i = it; i < n && i < it + rows; ++i)
                for (int j = jt; j < m && j < jt + columns; ++j)
                    right &= order[i][j] == next++;
    return right;
}
#else /* this compiler may leave the loops as they are */
#define EXPECTED(order, n, m, rows, columns) CHECK(order[n - 1][m - 1] == n * m - 1)
#endif

static void orders(void)
{
    int order[N][M];

    for (int n = 1; n <= N; n += 5)
        for (int m = 1; m <= M; m += 2) {
            by_rows(n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);
            by_single_rows(n, m, order, m == 5 ? 8 : 2);
            EXPECTED(order, n, m, 1, m == 5 ? 8 : 2);
            downward((unsigned)n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);
            unrolled(n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);

            memset(order, -1, sizeof order);
#pragma omp target map(tofrom: order)
            by_rows(n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);
#pragma omp target map(tofrom: order)
            by_single_rows(n, m, order, m == 5 ? 8 : 2);
            EXPECTED(order, n, m, 1, m == 5 ? 8 : 2);
#pragma omp target map(tofrom: order)
            downward((unsigned)n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);
#pragma omp target map(tofrom: order)
            unrolled(n, m, order);
            EXPECTED(order, n, m, ROWS, COLUMNS);
        }
    in_steps(-5000000000, M, order);
    EXPECTED(order, N, M, ROWS, COLUMNS);
    along_pointers(order[0], N, order);
    EXPECTED(order, N, M, ROWS, COLUMNS);
    memset(order, -1, sizeof order);
#pragma omp target map(tofrom: order)
    in_steps(-5000000000, M, order);
    EXPECTED(order, N, M, ROWS, COLUMNS);
#pragma omp target map(tofrom: order)
    along_pointers(order[0], N, order);
    EXPECTED(order, N, M, ROWS, COLUMNS);
#pragma omp target map(from: order)
    twice(N, M, order);
#ifdef _OPENMP /* four rows at a time, of which two are a tile one column wide */
    CHECK(order[1][0] == 1 && order[0][1] == 2 && order[2][0] == 2 * M && order[4][0] == 4 * M);
    CHECK(order[10][6] == N * M - 1);
#endif
}

/* One iteration runs a tile, so that a sum for each needs no atomics; variables from outside are private. */
static void tiles_of_threads(void)
{
    int sums[6][4] = {{0}}, quarters[(N + 3) / 4] = {0}, on_host[(N + 3) / 4] = {0}, i, j, last = 0;

#pragma omp target teams distribute parallel for collapse(2) map(tofrom: sums)
#pragma omp tile sizes(2, 2)
    for (i = 0; i < N; ++i)
        for (j = 0; j < M; ++j)
            sums[i / 2][j / 2] += i * j;
    for (int it = 0; it < 6; ++it)
        for (int jt = 0; jt < 4; ++jt) {
            int sum = 0;
            for (int k = 0; k < 4; ++k)
                if (2 * it + k / 2 < N && 2 * jt + k % 2 < M)
                    sum += (2 * it + k / 2) * (2 * jt + k % 2);
            CHECK(sums[it][jt] == sum);
        }

#pragma omp target map(tofrom: quarters)
#pragma omp parallel for default(none) shared(quarters) schedule(static, 1)
#pragma omp unroll partial(4)
    for (i = 0; i < N; ++i)
        quarters[i / 4] += i;
#pragma omp parallel for schedule(static, 1) lastprivate(last)
#pragma omp tile sizes(4)
    for (i = 0; i < N; ++i) {
        on_host[i / 4] += i;
        last = i;
    }
    CHECK(quarters[0] == 6 && quarters[1] == 22 && quarters[2] == 27 && last == N - 1);
    CHECK(memcmp(quarters, on_host, sizeof quarters) == 0);

    /* The loop around the tiles is collapsed with those, and one within them runs in each iteration. */
    int total = 0;
#pragma omp target teams distribute collapse(2) private(j) map(tofrom: total)
    for (int k = 0; k < 3; ++k) {
#pragma omp tile sizes(4)
        for (j = 0; j < M; ++j) {
            int part = 0;
#pragma omp parallel for reduction(+: part)
            for (int n = 0; n < j; ++n)
                part += 1;
#pragma omp atomic
            total += part;
        }
    }
    CHECK(total == 3 * M * (M - 1) / 2);
}

int main(void)
{
    orders();
    tiles_of_threads();
    CHECK(reordered(N) && reordered(3));
    return CHECK_RESULT();
}
