/* Loops that transformations generate, beside a macro and variables of the user's with the names of their counters. */
// reference: -fopenmp -foffload=disable -Wno-unknown-pragmas
#include "check.h"

#define __rex_grid_1_0 5

int main(void)
{
    int a[64], b[64], __rex_tile_1_0 = 3, __rex_tile_2_0 = 7;

#pragma omp target map(from: a)
#pragma omp parallel for
#pragma omp tile sizes(4)
    for (int i = 0; i < 64; i++)
        a[i] = i + __rex_tile_1_0 + __rex_grid_1_0;

#pragma omp reverse
    for (int i = 0; i < 64; i++)
        b[i] = i + __rex_tile_2_0;

    /* The inner variable hides the outer one of the same name. */
    int same[8][8] = {{0}}, hits = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: same)
#pragma omp tile sizes(3, 4)
    for (int k = 0; k < 8; ++k)
        for (int k = 0; k < 8; ++k) {
#pragma omp atomic
            same[k][k] += 1;
        }
#pragma omp interchange
    for (int k = 0; k < 3; ++k)
        for (int k = 1; k < 5; ++k)
            hits += k;
    for (int k = 0; k < 8; ++k)
        CHECK(same[k][k] == 8);
    CHECK(hits == 3 * (1 + 2 + 3 + 4));

    for (int i = 0; i < 64; i++)
        CHECK(a[i] == i + 8 && b[i] == i + 7);
    return CHECK_RESULT();
}
