/* A program of two units: data mapped by one is used by the kernels of the other. */
#include "../check.h"
#include "shared.h"

#include <stdlib.h>

static double start(int i)
{
    return i + 100.0;
}

void smooth(struct grid *g, int rounds)
{
    double *cells = g->cells;
    const int n = g->n;
    for (int round = 0; round < rounds; ++round) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i += 2)
            cells[i] = mix(cells[i], cells[i + 1]);
    }
}

double grid_sum(const struct grid *g)
{
    const double *cells = g->cells;
    const int n = g->n;
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += cells[i];
    return sum;
}

int main(void)
{
    struct grid g;
    double first = 0;
    grid_begin(&g, 64);
    smooth(&g, 3);
    printf("%.6f\n", grid_sum(&g));
    grid_end(&g);
    CHECK(g.cells[0] == 0.984375 && g.cells[1] == 1.0);
#pragma omp target map(from: first)
    first = start(1);
    CHECK(first == 101.0);
    free(g.cells);
    return CHECK_RESULT();
}
