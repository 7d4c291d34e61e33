/* Gaussian elimination: two kernels per step on flat arrays, inside one data region. */
#include "../check.h"

#include <math.h>
#include <stdlib.h>

static void multipliers(double *m, const double *a, int size, int step)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < size - 1 - step; ++i)
        m[size * (step + i + 1) + step] = a[size * (step + i + 1) + step] / a[size * step + step];
}

static void eliminate(const double *m, double *a, double *b, int size, int step)
{
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < size - 1 - step; ++i)
        for (int j = 0; j < size - step; ++j)
            a[size * (i + 1 + step) + j + step] -= m[size * (i + 1 + step) + step] * a[size * step + j + step];

#pragma omp target teams distribute parallel for
    for (int i = 0; i < size - 1 - step; ++i)
        b[i + 1 + step] -= m[size * (i + 1 + step) + step] * b[step];
}

int main(void)
{
    enum { SIZE = 24 };
    double *a = (double *)malloc(SIZE * SIZE * sizeof *a), *m = (double *)calloc(SIZE * SIZE, sizeof *m);
    double *b = (double *)malloc(SIZE * sizeof *b);
    double original[SIZE][SIZE], x[SIZE];

    for (int i = 0; i < SIZE; ++i) {
        b[i] = i + 1;
        for (int j = 0; j < SIZE; ++j) {
            original[i][j] = 10 * exp(-0.1 * abs(i - j)) + (i == j ? 20 : 0);
            a[SIZE * i + j] = original[i][j];
        }
    }

#pragma omp target data map(tofrom: a[0:SIZE * SIZE], b[0:SIZE], m[0:SIZE * SIZE])
    for (int step = 0; step < SIZE - 1; ++step) {
        multipliers(m, a, SIZE, step);
        eliminate(m, a, b, SIZE, step);
    }

    for (int i = SIZE - 1; i >= 0; --i) {
        x[i] = b[i];
        for (int j = i + 1; j < SIZE; ++j)
            x[i] -= a[SIZE * i + j] * x[j];
        x[i] /= a[SIZE * i + i];
    }
    for (int i = 0; i < SIZE; ++i) {
        double product = 0;
        for (int j = 0; j < SIZE; ++j)
            product += original[i][j] * x[j];
        CHECK(fabs(product - (i + 1)) < 1e-10);
    }
    printf("%.6f %.6f\n", x[0], x[SIZE - 1]);
    free(a);
    free(m);
    free(b);
    return CHECK_RESULT();
}
