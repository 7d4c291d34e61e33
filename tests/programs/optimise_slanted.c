/* Loops inside distributed ones whose bounds depend on the row, that pick columns by their remainder, or that stand side by side. */
#include "check.h"
#include <string.h>

#define ROWS 40
#define WIDTH 64
#define SIZE (ROWS * WIDTH)

static double x[SIZE], y[SIZE], want[SIZE], got[SIZE];

static void fill(void)
{
    for (int k = 0; k < SIZE; ++k) {
        x[k] = k % 13 - 5;
        y[k] = want[k] = k % 7 + 1;
    }
}

static int same(void)
{
    return memcmp(y, want, sizeof y) == 0;
}

static void triangle(int n, int m, int upper, double *a, const double *b)
{
    if (upper) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = i + 3; j < m; ++j)
                a[i * m + j] = b[i * m + j] * (i + 100 * j);
    } else {
#pragma omp target teams distribute parallel for
        for (int i = n - 1; i >= 0; i -= 2) {
            const int last = 2 * i;
            for (int j = m - 1; j > last; j -= 3)
                a[i * m + j] -= i + 100 * j;
        }
    }
}

static void triangle_reference(int n, int m, int upper, double *a, const double *b)
{
    if (upper) {
        for (int i = 0; i < n; ++i)
            for (int j = i + 3; j < m; ++j)
                a[i * m + j] = b[i * m + j] * (i + 100 * j);
    } else {
        for (int i = n - 1; i >= 0; i -= 2)
            for (int j = m - 1; j > 2 * i; j -= 3)
                a[i * m + j] -= i + 100 * j;
    }
}

/* One colour at a time: by a condition, by the first column, and with a distance that the colours do not tell apart. */
static void colours(int n, int m, int how, int colour, double *a)
{
    if (how == 0) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 1; j < m - 1; ++j)
                if ((i + j) % 2 == colour)
                    a[i * m + j] += a[i * m + j - 1] * 0.5 + a[i * m + j + 1];
    } else if (how == 1) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 1 + (i - colour) % 2; j < m - 2; j += 2)
                a[i * m + j] += a[i * m + j + 1] * 0.5 + i;
    } else {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 2; j < m; ++j)
                if ((i + j) % 2 == colour)
                    a[i * m + j] += a[i * m + j - 2];
    }
}

static void colours_reference(int n, int m, int how, int colour, double *a)
{
    for (int i = 0; i < n; ++i)
        if (how == 0) {
            for (int j = 1; j < m - 1; ++j)
                if ((i + j) % 2 == colour)
                    a[i * m + j] += a[i * m + j - 1] * 0.5 + a[i * m + j + 1];
        } else if (how == 1) {
            for (int j = 1 + (i - colour) % 2; j < m - 2; j += 2)
                a[i * m + j] += a[i * m + j + 1] * 0.5 + i;
        } else {
            for (int j = 2; j < m; ++j)
                if ((i + j) % 2 == colour)
                    a[i * m + j] += a[i * m + j - 2];
        }
}

/* The second loop reads what the first one has written, in the same column or, with `ahead`, in the next one. */
static void side_by_side(int n, int m, int ahead, double *a, double *b)
{
    if (ahead) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < m - 1; ++j)
                a[i * m + j] += b[i * m + j];
            for (int j = 0; j < m - 1; ++j)
                b[i * m + j] = a[i * m + j] + a[i * m + j + 1];
        }
    } else {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) {
            double t;
            for (int j = 0; j < m - 1; ++j) {
                t = b[i * m + j];
                a[i * m + j] += t;
            }
            const double w = i % 4;
            for (int k = 0; k < m - 1; ++k)
                b[i * m + k] = a[i * m + k] * w;
        }
    }
}

static void side_by_side_reference(int n, int m, int ahead, double *a, double *b)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m - 1; ++j)
            a[i * m + j] += b[i * m + j];
        for (int j = 0; j < m - 1; ++j)
            b[i * m + j] = ahead ? a[i * m + j] + a[i * m + j + 1] : a[i * m + j] * (i % 4);
    }
}

/* A bound that only some calls compute: without the condition it would divide by 0. */
static void divided(int n, int m, int k, double *a)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        if (k != 0)
            for (int j = 0; j < m / k; ++j)
                a[i * m + j] = j;
}

/* A loop that ends where it meets the row's number, and no iteration behind that. */
static void until(int n, int m, int up, double *a)
{
    if (up) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = 0; j != i; ++j)
                a[i * m + j] = j;
    } else {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            for (int j = m - 1; j != i; --j)
                a[i * m + j] = j;
    }
}

int main(void)
{
#pragma omp target enter data map(alloc: x, y)
    for (int k = 0; k < 2; ++k) {
        fill();
#pragma omp target update to(y)
        divided(ROWS, WIDTH, 2 * k, y);
#pragma omp target update from(y)
        for (int at = 0; at < SIZE && k; ++at)
            want[at] = at % WIDTH < WIDTH / 2 ? at % WIDTH : want[at];
        CHECK(same());
    }
    for (int up = 0; up < 2; ++up) {
        fill();
#pragma omp target update to(y)
        until(ROWS, WIDTH, up, y);
#pragma omp target update from(y)
        for (int i = 0; i < ROWS; ++i)
            for (int j = 0; j < WIDTH; ++j)
                want[i * WIDTH + j] = (up ? j < i : j > i) ? j : want[i * WIDTH + j];
        CHECK(same());
    }
    for (int upper = 0; upper < 2; ++upper) {
        fill();
#pragma omp target update to(x, y)
        triangle(ROWS, WIDTH, upper, y, x);
#pragma omp target update from(y)
        triangle_reference(ROWS, WIDTH, upper, want, x);
        CHECK(same());
    }
    for (int how = 0; how < 6; ++how) {
        fill();
#pragma omp target update to(y)
        colours(ROWS, WIDTH, how / 2, how % 2, y);
#pragma omp target update from(y)
        colours_reference(ROWS, WIDTH, how / 2, how % 2, want);
        CHECK(same());
    }
    for (int ahead = 0; ahead < 2; ++ahead) {
        fill();
#pragma omp target update to(x, y)
        side_by_side(ROWS, WIDTH, ahead, x, y);
#pragma omp target update from(y)
        memcpy(got, y, sizeof got);
        fill();
        side_by_side_reference(ROWS, WIDTH, ahead, x, want);
        memcpy(y, got, sizeof got);
        CHECK(same());
    }
#pragma omp target exit data map(release: x, y)
    return CHECK_RESULT();
}
