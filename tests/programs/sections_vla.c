/* Variable length arrays: implicit mapping, sections, more than one dimension, as locals and as parameters. */
#include "check.h"

#include <string.h>

static long sum_of(int rows, int columns, int m[rows][columns])
{
    long sum = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to: m[0:rows][0:columns]) reduction(+: sum)
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            sum += m[i][j];
    return sum;
}

static void add(int rows, int columns, int (*restrict to)[columns], int from[restrict rows][columns])
{
#pragma omp target teams distribute parallel for map(tofrom: to[:rows][:columns]) map(to: from[:rows][:columns])
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            to[i][j] += from[i][j];
}

static void run(int n, int rows, int columns)
{
    double v[n];
    int m[rows][columns], shift[rows];

#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        v[i] = 0.5 * i;
    for (int i = 0; i < n; ++i)
        CHECK(v[i] == 0.5 * i);

#pragma omp target map(tofrom: v[n / 4:n / 2])
    for (int i = n / 4; i < n / 4 + n / 2; ++i)
        v[i] = -v[i];
    for (int i = 0; i < n; ++i)
        CHECK(v[i] == (i >= n / 4 && i < n / 4 + n / 2 ? -0.5 : 0.5) * i);

    for (int i = 0; i < rows; ++i) {
        shift[i] = i;
        for (int j = 0; j < columns; ++j)
            m[i][j] = i * columns + j;
    }

#pragma omp target teams distribute parallel for map(tofrom: m) map(to: shift)
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            m[i][j] += shift[i];
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            CHECK(m[i][j] == i * columns + j + i);

#pragma omp target map(tofrom: m[1:rows - 2][0:columns])
    for (int i = 1; i < rows - 1; ++i)
        for (int j = 0; j < columns; ++j)
            m[i][j] = 1;
    printf("%ld\n", sum_of(rows, columns, m));
    int sum[rows][columns];
    memcpy(sum, m, sizeof sum);
    add(rows, columns, sum, m);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            CHECK(sum[i][j] == 2 * m[i][j]);

    int bytes = 0;
#pragma omp target map(from: bytes)
    bytes = (int)(sizeof v / sizeof v[0]) + (int)(sizeof m[0] / sizeof m[0][0]);
    CHECK(bytes == n + columns);
}

/* Arrays of pointers to rows, which have no size of their own to compute. */
static int through_tables(int n)
{
    int sum = 0;
#pragma omp target map(tofrom: sum)
    {
        int own[n], two[3][n];
        for (int i = 0; i < n; i++) {
            own[i] = i;
            two[0][i] = 10 * i;
            two[1][i] = 100 * i;
            two[2][i] = 7;
        }
        int (*rows[2])[n] = {two + 1, &own}, (*(*table)[2])[n] = &rows, (**walk)[n] = rows;
        sum = (*rows[1])[2] + rows[0][0][3] + rows[0][1][1] + (*table)[1][0][4];
        sum += (*walk)[0][2] * 1000 + walk[1][0][1] + (int)(sizeof *rows[0] / sizeof(int)) * 100000;
        for (int i = 0; i < 2; i++)
            sum += (*rows[i])[n - 1];
    }
    return sum;
}

#pragma omp declare target
/* A typedef is evaluated once, whatever becomes of its variables. */
static int of_typedefs(int n, int m)
{
    typedef int row[n++];
    typedef row grid[m];
    n += 5;
    m = 1;
    grid g;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            g[i][j] = i * 3 + j;
    {
        typedef char row[n];
        row other;
        other[n - 1] = 1;
        n += sizeof(row) + sizeof(other) + other[n - 1];
    }
    row *second = g + 1;
    __typeof__(g) same;
    same[1][2] = 40;
    return (*second)[2] + same[1][2] + n + sizeof(grid) * 100 + sizeof(row) + sizeof(*second) + sizeof(same);
}
#pragma omp end declare target

static void typedefs(int n)
{
    int found = 0, own[4], total = 0;
#pragma omp target map(tofrom: found)
    found = of_typedefs(3, 2);
    CHECK(found == of_typedefs(3, 2));
#pragma omp target teams distribute parallel for map(from: own)
    for (int i = 0; i < 4; ++i) {
        int k = n + i;
        typedef short part[k];
        k = 1;
        part some;
        some[n - 1] = 2;
        own[i] = sizeof(part) + sizeof(some) + some[n - 1] + k;
    }
    for (int i = 0; i < 4; ++i)
        CHECK(own[i] == 4 * (n + i) + 3);
#pragma omp target map(tofrom: total)
    {
        typedef int row[n];
        n = 1;
#pragma omp parallel for reduction(+: total)
        for (int i = 0; i < 3; ++i) {
            row some;
            int n = 2;
            some[3] = i;
            total += sizeof(some) + some[3] + n;
        }
    }
    CHECK(total == 3 * 4 * (int)sizeof(int) + 3 + 6);
}

int main(void)
{
    run(40, 5, 7);
    run(133, 12, 3);
    CHECK(through_tables(5) == 700718 && through_tables(9) == 1101122);
    typedefs(4);
    return CHECK_RESULT();
}
