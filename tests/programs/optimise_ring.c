/* Updates of one colour of a checkerboard whose rows and columns are rings. With an odd number of columns the ends of a
 * row have one colour, and so they have if its first column is -1: then a row must stay in order. */
#include "check.h"
#include <string.h>

#define ROWS 34
#define MOST 41

static int field[ROWS * MOST + 1], want[ROWS * MOST + 1];

#define RING(i, j)                                                                                  \
    const int up = i > 0 ? i - 1 : rows - 1, down = i < rows - 1 ? i + 1 : 0;                       \
    const int left = j > 0 ? j - 1 : n - 1, right = j < n - 1 ? j + 1 : 0;                          \
    a[i * n + j] = 3 * a[i * n + j] + a[up * n + j] - a[down * n + j] + 2 * a[i * n + left] - a[i * n + right];
#define EQUAL(i, j) a[i * n + j] += a[i * n + (j == 0 ? n - 1 : j - 1)] + 2 * a[i * n + (n <= j + 1 ? 0 : j + 1)];
#define SAME_ROW(i, j) a[i * n + j] += a[i * n + (j > 0 ? j - 1 : n - 1)] + 2 * a[i * n + (j != n - 1 ? j + 1 : 0)];

static void ring(int rows, int n, int *a, int colour, int how)
{
    if (how == 0) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows; ++i)
            for (int j = (i + colour) % 2; j < n; j += 2) {
                RING(i, j)
            }
    } else if (how == 1) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows; ++i)
            for (int j = (i + colour) & 1; j < n; j += 2) {
                EQUAL(i, j)
            }
    } else if (how == 2) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows; ++i)
            for (int j = n - 1; j >= 0; j -= 2) {
                EQUAL(i, j)
            }
    } else if (how == 3) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < n; ++j) {
                SAME_ROW(i, j)
            }
    } else {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < rows; ++i)
            for (int j = (i + colour) % 2; j < n; j += 2) {
                SAME_ROW(i, j)
            }
    }
}

static void reference(int rows, int n, int *a, int colour, int how)
{
    for (int i = 0; i < rows; ++i) {
        const int first = how == 1 ? (i + colour) & 1 : how == 3 ? 0 : (i + colour) % 2;
        if (how == 2) {
            for (int j = n - 1; j >= 0; j -= 2) {
                EQUAL(i, j)
            }
            continue;
        }
        for (int j = first; j < n; j += how == 3 ? 1 : 2) {
            if (how == 0) {
                RING(i, j)
            } else if (how == 1) {
                EQUAL(i, j)
            } else {
                SAME_ROW(i, j)
            }
        }
    }
}

int main(void)
{
#pragma omp target enter data map(to: field)
    for (int n = 1; n <= MOST; ++n)
        for (int how = 0; how < 5; ++how)
            for (int colour = how == 4 ? -1 : 0; colour < 2; ++colour) {
                for (int k = 0; k < ROWS * MOST + 1; ++k)
                    field[k] = want[k] = (k * 7 + n) % 11;
#pragma omp target update to(field)
                ring(ROWS, n, field + 1, colour, how);
#pragma omp target update from(field)
                reference(ROWS, n, want + 1, colour, how);
                CHECK(memcmp(field, want, sizeof field) == 0);
            }
#pragma omp target exit data map(release: field)
    return CHECK_RESULT();
}
