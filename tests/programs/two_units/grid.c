/* One of two units: owns the data and its lifetime on the device. Both units have static functions of the same name. */
#include "shared.h"

#include <stdlib.h>

static double start(int i)
{
    return i % 8;
}

void grid_begin(struct grid *g, int n)
{
    double *cells = malloc((size_t)n * sizeof *cells);
    g->n = n;
    g->cells = cells;
#pragma omp target enter data map(alloc: cells[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        cells[i] = start(i);
}

void grid_end(struct grid *g)
{
    double *cells = g->cells;
    const int n = g->n;
#pragma omp target exit data map(from: cells[0:n])
}
