/* Clauses whose words name a type where the directive stands, and something else elsewhere in the unit. */
#include "../check.h"

typedef int count;
typedef long wide;

static int of_pairs(int k)
{
    typedef struct {
        int v[2];
    } pair;
    int a[8] = {0};
#pragma omp target map(tofrom : a[0 : sizeof(pair[3]) / (sizeof(count))]) if ((wide)1) device((count)0)
    a[5] = (int)sizeof(pair) + k;
    return a[5];
}

int main(void)
{
    int a[6] = {0}, count = 4, rows = 0, chosen = 0, n = 2;

#pragma omp target map(tofrom : a[0 : (count)-1]) // no cast, but a difference
    a[2] = 8;
    {
        int wide = 3;
#pragma omp target map(tofrom : a[1 : (wide)-1])
        a[1] = wide;
    }
    CHECK(a[1] == 3 && a[2] == 8 && of_pairs(2) == 10);

    typedef char wide;
    enum { pair = 2 };
#pragma omp target teams distribute parallel for num_teams((wide)257) thread_limit(pair) reduction(+ : rows)
    for (int i = 0; i < 4; ++i)
        rows += 1;
#pragma omp metadirective when(user = {condition(sizeof(wide) == 1 && (pair)-1 == 1)} : target map(tofrom : chosen)) \
    otherwise(nothing)
    chosen = 1;
    CHECK(rows == 4 && chosen == 1);

    typedef int row[n]; // two elements long, whatever n is later
    n = 3;
    row table[3];
    int shared = 0; // whether host and device have one memory
    for (int i = 0; i < 6; ++i)
        table[i / 2][i % 2] = 0;
#pragma omp target data map(to : table, shared)
    {
#pragma omp target map(to : shared)
        shared = 1;
#pragma omp target
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 2; ++j)
                table[i][j] = 7;
#pragma omp target update from(table[1 : 1][0 : sizeof(row) / sizeof(int)])
    }
    // rex-ignore: dropped-result: what comes back is tested
    CHECK(table[0][1] == 7 * shared && table[1][0] == 7 && table[1][1] == 7 && table[2][0] == 7 * shared);
    return CHECK_RESULT();
}
