/* collapse(2) and collapse(3): bounds, strides and directions of each loop, index types, and a loop left inside. */
// reference: -fopenmp -foffload=disable -O1
// Without -O, gcc 12 stops with an internal error.
#include "check.h"

#define NI 7
#define NJ 11
#define NK 5

int main(void)
{
    static int count[NI][NJ][NK], order[NI * NJ];
    int a[NI][NJ];
    int ni = NI, nj = NJ;

#pragma omp target teams distribute parallel for collapse(2) map(from: a)
    for (int i = 0; i < ni; ++i)
        for (int j = 0; j < nj; ++j)
            a[i][j] = 100 * i + j;
    for (int i = 0; i < NI; ++i)
        for (int j = 0; j < NJ; ++j)
            CHECK(a[i][j] == 100 * i + j);

#pragma omp target teams distribute parallel for collapse(3) map(tofrom: count)
    for (int i = 0; i < NI; ++i)
        for (unsigned j = NJ; j > 0; --j)
            for (long k = 1; k <= 2 * NK - 1; k += 2)
                count[i][j - 1][k / 2] += 1 + (int)k;
    for (int i = 0; i < NI; ++i)
        for (int j = 0; j < NJ; ++j)
            for (int k = 0; k < NK; ++k)
                CHECK(count[i][j][k] == 2 * k + 2);

    /* The inner loop stays a loop of one iteration; the collapsed indices are private. */
    long long sum = 0;
#pragma omp target parallel for collapse(2) reduction(+: sum)
    for (int i = 2; i < ni; i += 2)
        for (int j = nj - 1; j >= 0; j -= 3)
            for (int k = 0; k < i + j; ++k)
                sum += k;
    printf("%lld\n", sum);

    /* Statements only in the innermost loop, braces around every level. */
#pragma omp target teams distribute collapse(2) map(from: order)
    for (int i = 0; i < ni; ++i) {
        for (int j = 0; j < nj; ++j) {
            int position = i * nj + j;
            order[position] = position;
        }
    }
    for (int i = 0; i < NI * NJ; ++i)
        CHECK(order[i] == i);

    /* One of the loops has no iteration. */
    int visits = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: visits)
    for (int i = 0; i < ni; ++i)
        for (int j = nj; j < nj; ++j)
            visits++;
    CHECK(visits == 0);

    /* collapse(1), and simd. */
#pragma omp target teams distribute parallel for simd collapse(1) map(tofrom: a)
    for (int i = 0; i < ni; ++i)
        for (int j = 0; j < nj; ++j)
            a[i][j] += 1;
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom: a)
    for (int i = 0; i < ni; ++i)
        for (int j = 0; j < nj; ++j)
            a[i][j] *= 2;
    CHECK(a[6][10] == 1222 && a[0][0] == 2);

    /* Many iterations in all, few in each loop. */
    long cells = 0;
#pragma omp target teams distribute parallel for collapse(3) reduction(+: cells)
    for (int i = 0; i < 50; ++i)
        for (int j = -20; j < 20; ++j)
            for (int k = 0; k < 30; ++k)
                cells += j == 0 ? 2 : 1;
    printf("%ld\n", cells);

    /* In a region, on the loop constructs inside. */
#pragma omp target map(tofrom: a)
    {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < NI; ++i)
            for (int j = 0; j < NJ; ++j)
                a[i][j] -= i;
    }
    CHECK(a[6][10] == 1216);
    return CHECK_RESULT();
}
