/* Directives that change no results: unroll, assume, nothing, error where it only warns, tile where order is nothing. */
// reference: -fopenmp -foffload=disable -Wno-unknown-pragmas
#include "check.h"

#define N 64

int main(void)
{
    int a[N], grid[16][16], total = 0;

#pragma omp target parallel for
#pragma omp unroll partial(4)
    for (int i = 0; i < N; ++i)
        a[i] = i;
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i);

#pragma omp target teams distribute parallel for collapse(2) map(from: grid)
#pragma omp tile sizes(4, 4)
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
            grid[i][j] = i * j;
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
            CHECK(grid[i][j] == i * j);

#pragma omp target map(tofrom: total)
    {
#pragma omp assume no_parallelism holds(total == 0)
        total += 1;
#pragma omp nothing
#pragma omp unroll full
        for (int i = 0; i < 4; ++i)
            total += 10;
#pragma omp tile sizes(2)
        for (int i = 0; i < 5; ++i)
            total += 100;
        if (total == 0) {
#pragma omp error at(execution) severity(fatal) message("never comes here")
        }
    }
    CHECK(total == 541);

    /* On the host. */
    total = 0;
#pragma omp unroll
    for (int i = 0; i < 10; ++i)
        total += 1;
#pragma omp parallel for reduction(+: total)
#pragma omp tile sizes(8)
    for (int i = 0; i < N; ++i)
        total += 1;
#pragma omp assume no_openmp
    {
        total += 1000;
    }
    CHECK(total == 1000 + 10 + N);
    return CHECK_RESULT();
}
