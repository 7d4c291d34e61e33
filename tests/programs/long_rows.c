/* Rows of a sparse matrix, more and longer than a launch gives each a thread for: some threads run several of them. */
#include "check.h"
#include <stdlib.h>

enum { ROWS = 205000, MOST = 26 };

static int *first, *column;
static float *value, *x, *y;

static void apply(int rows, float *y)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < rows; ++i) {
        y[i] = 1;
        for (int k = first[i]; k < first[i + 1]; ++k)
            y[i] += value[k] * x[column[k]];
    }
}

static int is_right(int i)
{
    float sum = 1;
    for (int k = first[i]; k < first[i + 1]; ++k)
        sum += value[k] * x[column[k]];
    return sum == y[i];
}

int main(void)
{
    first = (int *)malloc((ROWS + 1) * sizeof *first);
    column = (int *)malloc(ROWS * MOST * sizeof *column), value = (float *)malloc(ROWS * MOST * sizeof *value);
    x = (float *)malloc(ROWS * sizeof *x), y = (float *)malloc(ROWS * sizeof *y);
    first[0] = 0;
    for (int i = 0; i < ROWS; ++i) {
        first[i + 1] = first[i] + MOST - i % 7;
        x[i] = (float)(i % 5);
        for (int k = first[i]; k < first[i + 1]; ++k)
            column[k] = (i + 17 * k) % ROWS, value[k] = (float)(k % 3);
    }
#pragma omp target enter data map(to: first[0:ROWS + 1], column[0:first[ROWS]], value[0:first[ROWS]], x[0:ROWS])
#pragma omp target enter data map(alloc: y[0:ROWS])
    for (int rows = ROWS; rows > 0; rows /= 8)
        apply(rows, y);
#pragma omp target exit data map(from: y[0:ROWS])
#pragma omp target exit data map(delete: first[0:ROWS + 1], column[0:first[ROWS]], value[0:first[ROWS]], x[0:ROWS])
    int right = 0;
    for (int i = 0; i < ROWS; ++i)
        right += is_right(i);
    CHECK(right == ROWS);
    free(first), free(column), free(value), free(x), free(y);
    return CHECK_RESULT();
}
