/* Reductions over arrays and array sections. */
#include "check.h"

#include <stdlib.h>

#define N 300

/* Lengths that only the run knows: sections, variable-length arrays, rows; elements. */
static void variable_lengths(int n, int m)
{
    long *p = (long *)calloc(n, sizeof *p), (*rows)[3] = (long (*)[3])calloc(n, sizeof *rows), one[4] = {0};
    int vla[n], grid[n][m];

    for (int i = 0; i < n; ++i) {
        vla[i] = i;
        for (int j = 0; j < m; ++j)
            grid[i][j] = 0;
    }
#pragma omp target teams distribute parallel for reduction(+: p[0:n], one[2])
    for (int i = 0; i < N; ++i) {
        p[i % n] += i;
        one[2] += 1;
    }
#pragma omp target parallel for reduction(+: rows[1:n - 1])
    for (int i = 0; i < N; ++i)
        rows[1 + i % (n - 1)][i % 3] += 1;
#pragma omp target parallel for reduction(max: vla) map(tofrom: vla)
    for (int i = 0; i < N; ++i)
        if (vla[i % n] < i)
            vla[i % n] = i;
#pragma omp target map(tofrom: grid, p[0:n])
    {
#pragma omp parallel for reduction(+: grid)
        for (int i = 0; i < N; ++i)
            grid[i % n][i % m] += 1;
        int k = 1;
#pragma omp parallel for reduction(+: p[k:n - k])
        for (int i = 0; i < N; ++i)
            p[k] += 1;
    }
    int parts[4] = {0}, *part = parts, whole[3] = {0}, scalar = 0;
#pragma omp target teams num_teams(3) reduction(+: part[1:n - 4], whole, scalar)
    {
#pragma omp parallel reduction(+: part[1:n - 4], whole, scalar) num_threads(2)
        {
            part[2] += 1;
            whole[1] += 2;
            scalar += 3;
        }
        whole[2] += 1;
    }
    CHECK(part[2] > 0 && whole[1] == 2 * part[2] && scalar == 3 * part[2] && part[2] % whole[2] == 0);
    CHECK(part[0] == 0 && part[1] == 0 && part[3] == 0 && whole[0] == 0);
    long total = 0, cells = 0, expected = 0, counted = 0;
    for (int i = 0; i < n; ++i) {
        total += p[i];
        for (int j = 0; j < m; ++j)
            cells += grid[i][j];
        for (int j = 0; j < 3; ++j)
            counted += rows[i][j];
        expected += vla[i];
    }
    CHECK(total == N * (N - 1L) / 2 + N && cells == N && counted == N && one[2] == N);
    printf("%ld %ld %d %d\n", expected, p[1], vla[0], grid[n - 1][m - 1]);
    free(p);
    free(rows);
}

/* The bounds of a section are those from before the construct, which has its own copies of their variables. */
static void private_bounds(int first, int count)
{
    int a[5] = {0};
#pragma omp target teams distribute parallel for private(first, count) reduction(+ : a[first : count])
    for (int i = 0; i < N; ++i) {
        first = 1 + i % 2;
        count = first + 1;
        a[first] += 1;
        a[count] += 1;
    }
#pragma omp target map(tofrom : a)
#pragma omp teams num_teams(1) private(count) reduction(+ : a[1 : count])
    {
        count = 10;
        a[1] = a[3] = count;
    }
#pragma omp target map(tofrom : a)
    {
        a[4] = 5;
#pragma omp parallel for num_threads(3) private(count) reduction(+ : a[:count])
        for (int i = 0; i < 30; ++i) {
            count = i % 3;
            a[count] += 1;
        }
    }
    CHECK(a[0] == 10 && a[1] == N / 2 + 20 && a[2] == N + 10 && a[3] == N / 2 + 10 && a[4] == 5);
}

/* Sections of several dimensions: whole rows, from an array, from a pointer to rows, of one row, in a parallel region. */
static void rows_of_arrays(int from)
{
    int a[4][2][3] = {{{0}}}, b[3][2] = {{0}}, (*rows)[3] = a[1], part = 0;
#pragma omp target teams distribute parallel for reduction(+ : a[from:2][:2][0:3], b[2][:])
    for (int i = 0; i < N; ++i) {
        a[1 + i % 2][i / 2 % 2][i % 3] += 1;
        b[2][i % 2] += 2;
    }
    for (int i = 0; i < N; ++i)
        part += i % 2 == 1 && i / 2 % 2 == 1 && i % 3 == 2;
    CHECK(a[2][1][2] == part && b[0][0] == 0 && b[2][0] + b[2][1] == 2 * N);
#pragma omp target map(tofrom : rows[0:2])
    {
        rows[0][0] = 0;
#pragma omp parallel for reduction(max : rows[:2][:])
        for (int i = 0; i < N; ++i)
            rows[i % 2][0] = rows[i % 2][0] < i ? i : rows[i % 2][0];
    }
    CHECK(rows[0][0] == (N - 1) / 2 * 2 && rows[1][0] == N / 2 * 2 - 1);
}

/* Lengths around what a warp combines at a time, types of all sizes, blocks that are whole warps and that are not. */
static void lengths(int n, int threads)
{
    enum { TRIPS = 120, MOST = 20 };
    signed char c[MOST] = {0}, all[MOST];
    short s[MOST] = {0};
    unsigned m[MOST];
    float f[MOST + 1] = {0};
    long long l[MOST] = {0};
    volatile long long *behind = l;
    double d[MOST], fixed[MOST] = {0};
    float _Complex z[MOST];
    for (int j = 0; j < MOST; ++j) {
        m[j] = ~0u;
        d[j] = 1000;
        all[j] = 1;
        z[j] = 0;
    }
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(threads) map(tofrom : fixed) \
    reduction(+ : c[:n], f[1:n], z[:n], fixed) reduction(max : s[:n]) reduction(& : m[:n]) reduction(min : d[:n])
    for (int i = 0; i < TRIPS; ++i) {
        const int j = i % n;
        c[j] += 1;
        f[1 + j] += 0.5f;
        z[j] += i;
        s[j] = (short)(s[j] > i ? s[j] : i);
        m[j] &= ~(1u << i % 30);
        d[j] = d[j] < -i ? d[j] : -i;
        fixed[i % MOST] += i;
    }
#pragma omp target map(tofrom : behind[:n], all[:n])
#pragma omp parallel for num_threads(threads) reduction(+ : behind[:n]) reduction(&& : all[:n])
    for (int i = 0; i < TRIPS; ++i) {
        behind[i % n] += i;
        all[i % n] = all[i % n] && i != n - 1;
    }
    for (int j = 0; j < n; ++j) {
        const int count = (TRIPS - 1 - j) / n + 1, last = j + (count - 1) * n;
        unsigned mask = ~0u;
        long long sum = 0;
        for (int i = j; i < TRIPS; i += n) {
            mask &= ~(1u << i % 30);
            sum += i;
        }
        CHECK(c[j] == count && f[1 + j] == 0.5f * count && s[j] == last && d[j] == -last && m[j] == mask);
        CHECK(l[j] == sum && all[j] == (j != n - 1) && z[j] == sum);
    }
    CHECK(f[0] == 0);
    for (int j = 0; j < MOST; ++j)
        CHECK(fixed[j] == TRIPS / MOST * (j + (TRIPS - MOST) / 2));
}

int main(void)
{
    int bins[8] = {1, 1, 1, 1, 1, 1, 1, 1}, grid[2][3] = {{0}};
    double *sums = (double *)malloc(5 * sizeof *sums);

    for (int i = 0; i < 5; ++i)
        sums[i] = i;

#pragma omp target teams distribute parallel for reduction(+: bins)
    for (int i = 0; i < N; ++i)
        bins[i % 8] += 1;
    for (int b = 0; b < 8; ++b)
        CHECK(bins[b] == 1 + N / 8 + (b < N % 8));

#pragma omp target parallel for reduction(+: grid) map(tofrom: grid)
    for (int i = 0; i < N; ++i)
        grid[i % 2][i % 3] += i;
    int expected[2][3] = {{0}};
    for (int i = 0; i < N; ++i)
        expected[i % 2][i % 3] += i;
    for (int i = 0; i < 6; ++i)
        CHECK(grid[i / 3][i % 3] == expected[i / 3][i % 3]);

#pragma omp target parallel for reduction(+: sums[1:3])
    for (int i = 0; i < N; ++i) {
        sums[1] += 1;
        sums[3] += i % 3;
    }
    CHECK(sums[0] == 0 && sums[1] == 1 + N && sums[2] == 2 && sums[3] == 3 + N && sums[4] == 4);

#pragma omp target map(tofrom: bins)
    {
        int low[4] = {100, 100, 100, 100};
#pragma omp parallel for reduction(min: low) reduction(max: bins[4:4])
        for (int i = 0; i < 100; ++i) {
            if (i + 7 < low[i % 4])
                low[i % 4] = i + 7;
            if (bins[4 + i % 4] < 1000 + i)
                bins[4 + i % 4] = 1000 + i;
        }
        for (int i = 0; i < 4; ++i)
            bins[i] = low[i];
    }
    for (int i = 0; i < 4; ++i)
        CHECK(bins[i] == i + 7 && bins[4 + i] == 1096 + i);
    free(sums);
    variable_lengths(7, 4);
    private_bounds(1, 3);
    rows_of_arrays(1);
    static const int counts[] = {1, 7, 8, 9, 20}, threads[] = {1, 32, 47, 64, 256};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            lengths(counts[i], threads[j]);
    return CHECK_RESULT();
}
