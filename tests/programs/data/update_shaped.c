/* target update of parts of an array that a pointer leads to, in a shape that the directive gives it. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

#define N 12

int main(void)
{
    int r = 3, c = 4, got[2] = {0, 0};
    int *p = (int *)malloc(N * sizeof *p);

    for (int i = 0; i < N; ++i)
        p[i] = i;
#pragma omp target data map(to : p[0:N]) // rex-ignore: stale: what an update leaves out is tested
    {
#pragma omp target
        for (int i = 0; i < N; ++i)
            p[i] = 100 + i;
#pragma omp target update from(([r][c])p[0:3][1:2])
        CHECK(p[1] == 101 && p[2] == 102 && p[9] == 109 && p[10] == 110);
        CHECK(!SEPARATE || (p[4] == 4 && p[11] == 11));
        p[3] = p[4] = 77;
#pragma omp target update to(([r][c])p[0:1][3:1])
#pragma omp target map(from : got)
        {
            got[0] = p[3];
            got[1] = p[4];
        }
        CHECK(got[0] == 77 && (!SEPARATE || got[1] == 104));
    }
    free(p);
    return CHECK_RESULT();
}
