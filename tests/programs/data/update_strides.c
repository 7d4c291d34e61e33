/* target update of storage with gaps: strides, columns, blocks, parts of rows. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>
#include <string.h>

#define N 12
#define GOT(condition) CHECK(!SEPARATE || (condition)) /* true only after a transfer */

int main(void)
{
    int a[N], m[4][6], cube[2][3][4], n = N, step = 3;
    int *p = (int *)malloc(N * sizeof *p);

    for (int i = 0; i < N; ++i)
        a[i] = p[i] = i;
    memset(m, 0, sizeof m);
    memset(cube, 0, sizeof cube);

#pragma omp target data map(to : a, m, cube, p[0:N]) // rex-ignore: stale: what an update leaves out is tested
    {
#pragma omp target
        {
            for (int i = 0; i < N; ++i)
                a[i] = p[i] = 100 + i;
            for (int i = 0; i < 24; ++i)
                m[i / 6][i % 6] = (&cube[0][0][0])[i] = 1 + i;
        }
#pragma omp target update from(a[0:4:2])
        for (int i = 0; i < N; ++i)
            GOT(a[i] == (i % 2 == 0 && i < 8 ? 100 + i : i));
#pragma omp target update from(a[1::step])
        for (int i = 8; i < N; ++i)
            GOT(a[i] == (i % 3 == 1 ? 100 + i : i));
#pragma omp target update from(p[2 : n / 3 : step])
        for (int i = 0; i < N; ++i)
            GOT(p[i] == (i % 3 == 2 ? 100 + i : i));

#pragma omp target update from(m[1:2][2:3])
        for (int i = 0; i < 24; ++i)
            GOT(m[i / 6][i % 6] == (i / 6 >= 1 && i / 6 <= 2 && i % 6 >= 2 && i % 6 < 5 ? 1 + i : 0));
        memset(m, 0, sizeof m);
#pragma omp target update from(m[0:4][5:1])
        GOT(m[0][5] == 6 && m[3][5] == 24 && m[2][4] == 0);
        memset(m, 0, sizeof m);
#pragma omp target update from(m[0:4][3])
        GOT(m[0][3] == 4 && m[3][3] == 22 && m[1][2] == 0);
#pragma omp target update from(m[0:2:2][0:3:2])
        GOT(m[0][0] == 1 && m[2][4] == 17 && m[2][3] == 16 && ((m[1][0] == 0 && m[0][1] == 0)));
#pragma omp target update from(cube[0:2][1][1:2])
        GOT(cube[0][1][1] == 6 && cube[1][1][2] == 19 && (cube[1][1][3] == 0));
#pragma omp target update from(cube[1][0:3][0:4])
        GOT(cube[1][2][3] == 24 && (cube[0][2][3] == 0));

        memset(a, -1, sizeof a);
#pragma omp target update to(a[1:3:4]) from(a[0:3:4])
        GOT(a[0] == 100 && a[4] == 104 && a[8] == 108 && a[1] == -1);
        int ninth = 0;
#pragma omp target map(from : ninth)
        ninth = a[9] * 1000 + a[10];
        GOT(ninth == -1000 + 110);
    }
    ABSENT(a);
    ABSENT(m);
    ABSENT(p);
    free(p);
    return CHECK_RESULT();
}
