/* Reductions over collapsed loops, in tiles: in each order of the loops, with shapes that fit and that do not. */
#include "check.h"

#include <stdlib.h>

#define MOST (1 << 18)

static int *a, *b;

static void shape(int n, int m, int teams)
{
    long sum = 5, expected = 5, turned = 0, crossed = 0, product_of_signs = 1, signs = 1;
    int most = -1, expected_most = -1, least = 1 << 30, expected_least = 1 << 30, all = 1, any = 0, odd = 0, expected_odd = 0;
    double halves = 0.5, expected_halves = 0.5;

    for (int i = 0; i < n * m; ++i) {
        a[i] = (int)((i * 2654435761u) >> 20);
        b[i] = 0;
        expected += a[i];
        expected_most = a[i] > expected_most ? a[i] : expected_most;
        expected_least = a[i] < expected_least ? a[i] : expected_least;
        expected_odd ^= a[i];
        expected_halves += a[i] * 0.5;
        signs *= a[i] % 2 ? -1 : 1;
    }
#pragma omp target data map(to: a[0:n * m]) map(tofrom: b[0:n * m])
    {
#pragma omp target teams distribute parallel for collapse(2) reduction(+: sum, halves) reduction(max: most) reduction(min: least) reduction(&&: all) reduction(||: any) reduction(^: odd)
        for (int i = 0; i < n; ++i)
            for (int j = m - 1; j >= 0; --j) {
                b[i * m + j] += a[i * m + j];
                sum += b[i * m + j];
                halves += a[i * m + j] * 0.5;
                most = a[i * m + j] > most ? a[i * m + j] : most;
                least = a[i * m + j] < least ? a[i * m + j] : least;
                odd ^= a[i * m + j];
                all = all && a[i * m + j] >= 0;
                any = any || a[i * m + j] < 0;
            }
        /* Neighbouring elements lie along the first loop. */
#pragma omp target teams distribute parallel for collapse(2) reduction(+: turned) map(tofrom: turned)
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < n; ++i) {
                b[i * m + j] += 1;
                turned += b[i * m + j];
            }
        /* Along both loops, with as many teams as the clause says, which is too few for a thread an iteration. */
#pragma omp target teams distribute parallel for collapse(2) reduction(+: crossed) map(tofrom: crossed) num_teams(teams) thread_limit(128)
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < n; ++i)
                crossed += a[i * m + j] - b[j * n + i];
#pragma omp target teams distribute parallel for collapse(2) reduction(*: product_of_signs) map(tofrom: product_of_signs)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < m; ++j)
                product_of_signs *= a[i * m + j] % 2 ? -1 : 1;
        /* Nothing is added up; the clause gives a thread to each iteration. */
#pragma omp target teams distribute parallel for collapse(2) num_teams((n * m + 127) / 128) thread_limit(128)
        for (int j = 0; j < m; ++j)
            for (int i = 0; i < n; ++i)
                b[i * m + j] *= 2;
    }
    CHECK(sum == expected && halves == expected_halves && most == expected_most && least == expected_least);
    CHECK(all == 1 && any == 0 && odd == expected_odd && product_of_signs == signs);
    CHECK(turned == expected - 5 + (long)n * m && crossed == -(long)n * m);
    for (int i = 0; i < n * m; ++i)
        if (b[i] != 2 * (a[i] + 1)) {
            CHECK(b[i] == 2 * (a[i] + 1));
            return;
        }
}

int main(void)
{
    static const int sizes[][3] = {{256, 512, 40}, {300, 500, 7}, {100, 100, 9}, {1, 1000, 1}, {1000, 3, 5},
                                   {63, 65, 64}, {500, 72, 3}, {0, 9, 2}, {2, 2, 1000}};
    a = (int *)malloc(sizeof(int) * MOST);
    b = (int *)malloc(sizeof(int) * MOST);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        shape(sizes[i][0], sizes[i][1], sizes[i][2]);
    free(a);
    free(b);
    return CHECK_RESULT();
}
