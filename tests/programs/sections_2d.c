/* Two-dimensional arrays: rows, row ranges, parts of a row, pointers to arrays. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

enum { ROWS = 9, COLUMNS = 6 };

static int m[ROWS][COLUMNS];

static void reset(void)
{
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            m[i][j] = 10 * i + j;
}

/* Lengths that only the run knows, of inner dimensions, too. */
static void whole_at_run_time(int rows, int columns, int two, int none)
{
    int vla[rows][columns], (*p)[COLUMNS] = (int (*)[6])malloc(ROWS * sizeof *p), cube[3][2][4] = {{{0}}}, wrong = 0;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            vla[i][j] = p[i][j] = 10 * i + j;
    reset();
#pragma omp target map(tofrom: m[0:rows][0:columns], p[two:3][:columns], cube[:3][:two][:4], wrong) \
    map(to: vla[:rows][:columns])
    {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                m[i][j] += vla[i][j];
        p[two][0] = p[two + 2][columns - 1] = -7;
        cube[2][1][3] = 5;
        wrong = cube[0][0][0] != 0;
    }
    CHECK(!wrong && m[ROWS - 1][COLUMNS - 1] == 2 * 85 && m[0][1] == 2 && cube[2][1][3] == 5);
#ifndef REFERENCE /* gcc 14 takes p for another pointer in its region, where it has no device */
    CHECK(p[2][0] == -7 && p[4][COLUMNS - 1] == -7 && p[1][5] == 15 && p[5][0] == 50);
#endif
#pragma omp target map(tofrom: m[two:1][two:3])
    for (int j = two; j < two + 3; ++j)
        m[two][j] = j;
    CHECK(m[2][1] == 42 && m[2][2] == 2 && m[2][4] == 4 && m[2][5] == 50);
#pragma omp target map(tofrom: m[0:rows][0:none], wrong)
    wrong += 1;
    CHECK(wrong == 1);
    free(p);
}

int main(void)
{
    const int host = regions_on_host();
    whole_at_run_time(ROWS, COLUMNS, 2, 0);
    int low = 2, count = 3, row = 4;

    reset();
#pragma omp target map(tofrom: m[low:count][0:COLUMNS])
    for (int i = low; i < low + count; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            m[i][j] = -1;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            CHECK(m[i][j] == (i >= 2 && i < 5 ? -1 : 10 * i + j));

    reset();
#pragma omp target map(tofrom: m[row][2:3])
    for (int j = 2; j < 5; ++j)
        m[row][j] = 0;
    CHECK(m[4][1] == 41 && m[4][2] == 0 && m[4][4] == 0 && m[4][5] == 45);

    reset();
#pragma omp target map(tofrom: m[6:])
    m[8][5] = m[6][0] = 7;
    CHECK(m[8][5] == 7 && m[6][0] == 7 && m[5][5] == 55);

    reset();
#pragma omp target map(tofrom: m[1][:])
    m[1][0] = m[1][5] = 3;
    CHECK(m[1][0] == 3 && m[1][5] == 3 && m[0][5] == 5 && m[2][0] == 20);

    reset();
#pragma omp target map(tofrom: m[3])
    m[3][3] = 333;
    CHECK(m[3][3] == 333);

#pragma omp target map(tofrom: m[3][4])
    m[3][4] = 334;
    CHECK(m[3][4] == 334);

    /* A pointer to rows. */
    float(*p)[COLUMNS] = (float (*)[6])malloc(ROWS * sizeof *p);
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            p[i][j] = (float)(i + j);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: p[0:ROWS][0:COLUMNS])
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            p[i][j] *= 2;
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            CHECK(p[i][j] == 2.0f * (float)(i + j));

    reset();
#pragma omp target data map(to: m)
    {
#pragma omp target
        for (int i = 0; i < ROWS; ++i)
            for (int j = 0; j < COLUMNS; ++j)
                m[i][j] = -m[i][j];
#pragma omp target update from(m[5:2][0:COLUMNS])
        for (int i = 0; i < ROWS; ++i)
            // rex-ignore: stale: only a part comes back
            CHECK(m[i][1] == (host || i == 5 || i == 6 ? -(10 * i + 1) : 10 * i + 1));
    }

    /* Three dimensions, mapped implicitly. */
    int cube[3][4][5];
#pragma omp target teams distribute parallel for collapse(3)
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 5; ++k)
                cube[i][j][k] = 100 * i + 10 * j + k;
    CHECK(cube[0][0][0] == 0 && cube[2][3][4] == 234 && cube[1][2][3] == 123);
    free(p);
    return CHECK_RESULT();
}
