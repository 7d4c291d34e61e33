/* The product of two matrices, one element of the result per iteration of a collapsed pair of loops. */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* c[m][n] = a[m][k] * b[k][n] */
static void multiply(int m, int n, int k, double a[m][k], double b[k][n], double c[m][n])
{
#pragma omp target teams distribute parallel for collapse(2) map(to: a[0:m][0:k], b[0:k][0:n]) map(from: c[0:m][0:n])
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
            double sum = 0.0;
            for (int i = 0; i < k; ++i)
                sum += a[row][i] * b[i][column];
            c[row][column] = sum;
        }
}

static void multiply_serially(int m, int n, int k, double a[m][k], double b[k][n], double c[m][n])
{
    for (int row = 0; row < m; ++row) {
        for (int column = 0; column < n; ++column)
            c[row][column] = 0.0;
        for (int i = 0; i < k; ++i)
            for (int column = 0; column < n; ++column)
                c[row][column] += a[row][i] * b[i][column];
    }
}

struct result product_part(int scale)
{
    const int m = 192 * scale, n = 224 * scale, k = 256 * scale;
    struct result result = {.part = "matrix product"};
    double(*a)[k] = allocate((size_t)m, sizeof *a);
    double(*b)[n] = allocate((size_t)k, sizeof *b);
    double(*c)[n] = allocate((size_t)m, sizeof *c);
    double(*reference)[n] = allocate((size_t)m, sizeof *reference);
    uint32_t state = 31415u;
    snprintf(result.problem, sizeof result.problem, "%d x %d times %d x %d", m, k, k, n);

    for (int row = 0; row < m; ++row)
        for (int i = 0; i < k; ++i)
            a[row][i] = random_between(&state, -1.0f, 1.0f);
    for (int i = 0; i < k; ++i)
        for (int column = 0; column < n; ++column)
            b[i][column] = random_between(&state, -1.0f, 1.0f);

    double start = seconds_now();
    multiply(m, n, k, a, b, c);
    result.seconds = seconds_now() - start;

    start = seconds_now();
    multiply_serially(m, n, k, a, b, reference);
    result.reference_seconds = seconds_now() - start;

    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column)
            result.error = fmax(result.error, relative_error(c[row][column], reference[row][column]));
    result.correct = result.error < 1e-12;

    free(a);
    free(b);
    free(c);
    free(reference);
    return result;
}
