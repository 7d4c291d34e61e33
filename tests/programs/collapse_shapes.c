/* collapse of nests that are no rectangle, or have code between their loops. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#define N 30

int main(void)
{
    int a[N][N], rows[N], total = 0, i, j, last = -1;

    for (i = 0; i < N; ++i)
        for (j = 0; j < N; ++j)
            a[i][j] = -1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
    for (i = 0; i < N; ++i)
        for (j = i; j < N; ++j)
            a[i][j] = i * N + j;
    for (i = 0; i < N; ++i)
        for (j = 0; j < N; ++j)
            CHECK(a[i][j] == (j >= i ? i * N + j : -1));

#pragma omp target parallel for collapse(3) reduction(+: total)
    for (int p = 0; p < N; ++p)
        for (int q = 0; q < 5; ++q)
            for (int r = q + 9; r > 2 * q - 3; --r)
                total += r + p;
    int expected = 0;
    for (int p = 0; p < N; ++p)
        for (int q = 0; q < 5; ++q)
            for (int r = q + 9; r > 2 * q - 3; --r)
                expected += r + p;
    CHECK(total == expected);

#ifdef REFERENCE /* gcc refuses the nest */
#pragma omp target map(from: rows) map(tofrom: a, last)
#else
#pragma omp target teams distribute parallel for collapse(2) map(from: rows) map(tofrom: a) lastprivate(last)
#endif
    for (int p = 0; p < N; ++p) {
        int start = 2 * p;
        rows[p] = start;
        for (j = 0; j < N; ++j) {
            a[p][j] = start + j;
            last = a[p][j];
        }
        a[p][0] += 1;
    }
    for (i = 0; i < N; ++i)
        CHECK(rows[i] == 2 * i && a[i][0] == 2 * i + 1 && a[i][N - 1] == 2 * i + N - 1);
    CHECK(last == 2 * (N - 1) + N - 1);

    /* Code between the loops, and blocks around them, run at least once for each iteration of the loop around them. */
    int before = 0, between = 0, after = 0;
    total = 0;
#ifdef REFERENCE
#pragma omp target map(tofrom: before, between, after, total)
#else
#pragma omp target teams distribute parallel for collapse(3) reduction(+: before, between, after, total)
#endif
    for (int p = 0; p < N; ++p) {
        { before += 1; }
        {
            int start = p;
            for (j = 0; j < 4; ++j) {
                { between += 1; }
                {
                    for (int q = start; q < 2 * N; q += 2) {
                        total += q + j;
                    }
                    between += 1;
                }
            }
            after += 1;
        }
        { after += 1; }
    }
    expected = 0;
    for (int p = 0; p < N; ++p)
        for (j = 0; j < 4; ++j)
            for (int q = p; q < 2 * N; q += 2)
                expected += q + j;
    CHECK(total == expected);
    CHECK(before >= N && after == 2 * before && between >= 2 * 4 * N);

    total = 0;
#pragma omp target map(tofrom: total)
#pragma omp parallel for collapse(2) reduction(+: total)
    for (i = 0; i < N; ++i)
        for (j = 0; j <= i; ++j)
            total += j;
    CHECK(total == N * (N - 1) * (N + 1) / 6);

    /* Loops that move with an outer one, on the host and on the device. */
#ifdef REFERENCE /* gcc 12 makes wrong code of them */
#define COLLAPSE(n)
#else
#define COLLAPSE(n) collapse(n)
#endif
    int once[N] = {0}, band[4][N + 2] = {{0}};
#pragma omp parallel for COLLAPSE(2) num_threads(3) private(j)
    for (i = 0; i < N; i += 5)
        for (j = i; j < i + 5; ++j)
            once[j] += 1;
#pragma omp target teams distribute parallel for COLLAPSE(2) map(tofrom: once) private(j)
    for (i = 0; i < N; i += 5)
        for (j = i; j < i + 5; ++j)
            once[j] += 2;
    for (i = 0; i < N; ++i)
        CHECK(once[i] == 3);
#pragma omp target parallel for COLLAPSE(3) map(tofrom: band) private(i) lastprivate(j)
    for (int k = 1; k < 4; k += 2)
        for (i = 0; i < N; ++i)
            for (j = i - 1; j <= i + 1; ++j) {
#pragma omp atomic
                band[k][j + 1] += 1;
            }
    CHECK(j == N + 1);
    for (int k = 0; k < 4; ++k)
        for (i = 0; i < N + 2; ++i)
            CHECK(band[k][i] == (k % 2 == 0 ? 0 : i == 0 || i == N + 1 ? 1 : i == 1 || i == N ? 2 : 3));
    return CHECK_RESULT();
}
