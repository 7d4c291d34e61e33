/* Collapsed loops whose inner bounds both move with an outer loop, for which gcc 12 makes wrong code under LLVM's
   runtime, and loops with code between them: in regions, which also run on the host, and outside of them. */
// reference: -Wno-unknown-pragmas
#include "check.h"

#define N 20

static long moving(void)
{
    long sum = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: sum)
    for (int i = 0; i < N; i += 3)
        for (int j = i; j < i + 4; ++j)
            sum += i * 100 + j;
    return sum;
}

static long inside(void)
{
    long sum = 0;
#pragma omp target map(tofrom: sum)
    {
        int i, j;
#pragma omp parallel for collapse(2) reduction(+: sum)
        for (i = 0; i < N; i += 3)
            for (j = i; j < i + 4; ++j)
                sum += i * 100 + j;
    }
    return sum;
}

static long on_host(void)
{
    long sum = 0;
    int j;
#pragma omp parallel for collapse(2) reduction(+: sum)
    for (int i = 0; i < N; i += 3)
        for (j = i; j < i + 4; ++j)
            sum += i * 100 + j;
    return sum;
}

/* The variable of the inner loop is declared outside of it, and code stands between the loops. */
static int triangle(void)
{
    static int cells[N][N], rows[N];
    int j, wrong = 0;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: cells, rows)
    for (int i = 0; i < N; ++i) {
        rows[i] = i;
        for (j = i; j < N; ++j)
            cells[i][j] = i * 100 + j;
    }
    for (int i = 0; i < N; ++i) {
        wrong += rows[i] != i;
        for (int k = 0; k < N; ++k)
            wrong += cells[i][k] != (k < i ? 0 : i * 100 + k);
    }
    return wrong;
}

int main(void)
{
    long expected = 0;
    for (int i = 0; i < N; i += 3)
        for (int j = i; j < i + 4; ++j)
            expected += i * 100 + j;
    CHECK(moving() == expected);
    CHECK(inside() == expected);
    CHECK(on_host() == expected);
    CHECK(triangle() == 0);
    return CHECK_RESULT();
}
