/* Two levels of pointers to structures: q->next->p[0:n], o.inner->p[0:n], and arrays of pointers. */
// reference: -Wno-unknown-pragmas
#include "check.h"

#include <stdlib.h>

struct block {
    int n;
    double *p;
    struct block *next;
};

struct owner {
    int id;
    struct block *inner;
};

int main(void)
{
    const int n = 48;
    struct block last = {n, (double *)malloc(n * sizeof(double)), NULL};
    struct block first = {n, (double *)malloc(n * sizeof(double)), &last};
    struct block *q = &first;
    struct owner o = {5, &last};
    double *const p = last.p;
    double *rows[3];

    for (int i = 0; i < n; ++i)
        first.p[i] = last.p[i] = i;

#pragma omp target map(to: q[0:1], q->next[0:1]) map(tofrom: q->next->p[0:n])
    for (int i = 0; i < q->next->n; ++i)
        q->next->p[i] += 7;
    CHECK(first.next == &last && last.p == p);
    for (int i = 0; i < n; ++i)
        CHECK(p[i] == i + 7);

#pragma omp target map(to: o.inner[0:1]) map(tofrom: o.inner->p[0:n])
    for (int i = 0; i < o.inner->n; ++i)
        o.inner->p[i] *= 2;
    CHECK(o.inner == &last && last.p == p && o.id == 5);
    for (int i = 0; i < n; ++i)
        CHECK(p[i] == 2 * i + 14);

    for (int r = 0; r < 3; ++r) {
        rows[r] = (double *)malloc(n * sizeof *rows[r]);
        for (int i = 0; i < n; ++i)
            rows[r][i] = r;
    }
#pragma omp target map(tofrom: rows[1][0:n])
    for (int i = 0; i < n; ++i)
        rows[1][i] = -i;
    CHECK(rows[0][5] == 0 && rows[1][5] == -5 && rows[2][5] == 2);

    for (int r = 0; r < 3; ++r)
        free(rows[r]);
    free(first.p);
    free(last.p);
    return CHECK_RESULT();
}
