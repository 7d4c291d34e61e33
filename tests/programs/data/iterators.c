/* iterator modifiers in map, to, from and depend. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

#define N 6

struct item {
    int n;
    int *values;
};

/* Without side effects: may be called as often as need be. */
static int row_of(int i, int j)
{
    int row = 0;
    for (int k = 0; k < i; ++k)
        row += 3;
    return row + j;
}

int main(void)
{
    int *rows[N], sums[N], total = 0;
    struct item items[N];
    for (int i = 0; i < N; ++i) {
        rows[i] = (int *)malloc((size_t)(i + 1) * sizeof(int));
        items[i] = (struct item){i + 1, (int *)malloc((size_t)(i + 1) * sizeof(int))};
        for (int j = 0; j <= i; ++j)
            rows[i][j] = items[i].values[j] = 10 * i + j;
    }

#pragma omp target map(iterator(it = 0 : N), tofrom : rows[it][0 : it + 1]) map(from : sums)
    for (int i = 0; i < N; ++i) {
        sums[i] = 0;
        for (int j = 0; j <= i; ++j)
            sums[i] += rows[i][j]++;
    }
    for (int i = 0; i < N; ++i) {
        int expected = 0;
        for (int j = 0; j <= i; ++j) {
            expected += 10 * i + j;
            CHECK(rows[i][j] == 10 * i + j + 1);
        }
        CHECK(sums[i] == expected);
        ABSENT(rows[i]);
    }
    ABSENT(rows);
    /* Two clauses with loops of their own over one array. */
#pragma omp target map(iterator(it = 0 : N : 2), tofrom : rows[it][0 : it + 1]) map(iterator(it = 1 : N : 2), to : rows[it][it:1])
    for (int i = 0; i < N; i += 2)
        rows[i][0] += rows[i + 1][i + 1];
    CHECK(rows[4][0] == 41 + 56 && rows[0][0] == 1 + 12);
    ABSENT(rows[0]);

#pragma omp target map(iterator(i = 0 : 2, j = 0 : 3), tofrom : rows[row_of(i, j)][0 : row_of(i, j) + 1])
    for (int i = 0; i < N; ++i)
        rows[i][i] += 1000;
    for (int i = 0; i < N; ++i) {
        CHECK(rows[i][i] >= 1000);
        rows[i][i] -= 1000;
    }

    /* Members, a step, and the array itself mapped too. */
#pragma omp target map(to : items) map(iterator(int k = 1 : N : 2), tofrom : items[k].values[0 : items[k].n])
    for (int i = 1; i < N; i += 2)
        for (int j = 0; j < items[i].n; ++j)
            items[i].values[j] = -items[i].values[j];
    CHECK(items[5].values[5] == -55 && items[3].values[0] == -30 && items[4].values[4] == 44);
    ABSENT(items);
    ABSENT(items[5].values);

#pragma omp target enter data map(iterator(k = 0 : N), to : items[k].values[0 : items[k].n]) map(to : items)
    PRESENT(items[2].values);
    for (int i = 0; i < N; ++i)
        items[i].values[0] = i;
#pragma omp target update to(iterator(k = 0 : N) : items[k].values[0:1])
#pragma omp target map(tofrom : total)
    for (int i = 0; i < N; ++i)
        total += items[i].values[0];
    CHECK(total == 15);
#pragma omp target
    for (int i = 0; i < N; ++i)
        items[i].values[i] = 1000 + i;
#pragma omp target update from(iterator(long k = N - 1 : 0 : -1) : items[k].values[k:1])
    // rex-ignore: stale: only some elements come back
    CHECK(items[5].values[5] == 1005 && items[1].values[1] == 1001 && (!SEPARATE || items[0].values[0] == 0));
#pragma omp target exit data map(iterator(k = 0 : N), release : items[k].values[0 : items[k].n]) map(release : items)
    for (int i = 0; i < N; ++i)
        ABSENT(items[i].values);
    ABSENT(items);

    /* No iteration at all. */
    const int none = 0;
#pragma omp target data map(iterator(k = 0 : none), tofrom : rows[k][0:1])
    ABSENT(rows[0]);

    int chain[N] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < N; ++i)
#pragma omp target nowait map(tofrom : chain[i]) depend(inout : chain[i]) firstprivate(i)
            chain[i] = i + 1;
#pragma omp target map(tofrom : chain) depend(iterator(k = 0 : N), inout : chain[k])
        for (int i = 0; i < N; ++i)
            chain[i] *= 3;
#pragma omp taskwait
    }
    CHECK(chain[0] == 3 && chain[5] == 18);

    for (int i = 0; i < N; ++i) {
        free(rows[i]);
        free(items[i].values);
    }
    return CHECK_RESULT();
}
