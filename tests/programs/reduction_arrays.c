/* Reductions over arrays and array sections. */
#include "check.h"

#include <stdlib.h>

#define N 300

int main(void)
{
    int bins[8] = {1, 1, 1, 1, 1, 1, 1, 1}, grid[2][3] = {{0}};
    double *sums = malloc(5 * sizeof *sums);

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
    return CHECK_RESULT();
}
