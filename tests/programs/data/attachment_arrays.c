/* Sections behind the elements of an array, by iterators, when the array is on the device already. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#define N 12

struct list {
    int n;
    int *p;
    int *q;
};

static int x[N], y[N];

static void fill(void)
{
    for (int i = 0; i < N; ++i) {
        x[i] = i;
        y[i] = 100 + i;
    }
}

static void arrays(void)
{
    struct list a[3] = {{1, x, y}, {2, x + 4, y + 4}, {3, x + 8, y + 8}};
    int *rows[2] = {x, y}, seen[3];
#pragma omp target enter data map(to : a)
    for (int k = 0; k < 3; ++k) {
#pragma omp target enter data map(to : a[k].p[0:4])
    }
#pragma omp target data map(iterator(k = 0 : 3), tofrom : a[k].q[0:4])
    {
#pragma omp target map(from : seen)
        for (int k = 0; k < 3; ++k) {
            seen[k] = a[k].p[k];
            a[k].q[k] = -k;
        }
    }
    CHECK(seen[0] == 0 && seen[1] == 5 && seen[2] == 10 && y[5] == -1 && y[10] == -2);
    ABSENT(y);
    for (int k = 0; k < 3; ++k)
        a[k].n = 2 - k;
#pragma omp target enter data map(iterator(k = 0 : 3), always, to : a[k])
#pragma omp target map(from : seen)
    for (int k = 0; k < 3; ++k)
        seen[k] = a[k].p[a[k].n];
    CHECK(seen[0] == 2 && seen[1] == 5 && seen[2] == 8);
#pragma omp target exit data map(iterator(k = 0 : 3), release : a[k])
#pragma omp target exit data map(from : a)
    ABSENT(a);
    CHECK(a[1].p == x + 4 && a[1].q == y + 4);
    for (int k = 0; k < 3; ++k) {
        PRESENT(x + 4 * k);
#pragma omp target exit data map(release : a[k].p[0:4])
        ABSENT(x + 4 * k);
    }

#pragma omp target enter data map(to : rows)
#pragma omp target enter data map(iterator(k = 0 : 2), to : rows[k][0:N])
#pragma omp target map(from : seen)
    seen[0] = rows[0][3] + rows[1][4];
    CHECK(seen[0] == 107);
#pragma omp target exit data map(release : rows[0][0:N])
    ABSENT(x);
    PRESENT(rows);
#pragma omp target exit data map(release : rows)
    ABSENT(rows);
    PRESENT(y);
#pragma omp target exit data map(release : rows[1][0:N])
    ABSENT(y);
}

/* Rows of a table, each mapped for itself, in no order; then the table with some of them. */

int main(void)
{
    fill();
    arrays();
    return CHECK_RESULT();
}
