/* Chains of pointers: o.ps->p[0:n], q->next->p[0:n], pp[1][0:n], arrays of structures with pointers, on every construct. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdlib.h>

#define N 8

struct leaf {
    int n;
    double d;
    double *p;
};
struct node {
    int x;
    struct leaf in;
    struct leaf *ps;
    struct node *next;
};

static double *filled(double start)
{
    double *p = (double *)malloc(N * sizeof *p);
    for (int i = 0; i < N; ++i)
        p[i] = start + i;
    return p;
}

int main(void)
{
    struct leaf leaf = {N, 0.5, filled(0)}, more[3];
    struct node tail = {2, {N, 1.5, filled(100)}, &leaf, NULL}, o = {1, {N, 2.5, filled(200)}, &leaf, &tail}, *q = &o;
    double *const p = leaf.p, *rows[3] = {filled(0), filled(10), filled(20)}, **pp = rows;
    for (int i = 0; i < 3; ++i)
        more[i] = (struct leaf){i, (double)i, filled(1000 * i)};

#pragma omp target map(tofrom : o.ps->p[0:N])
    o.ps->p[3] = -1;
    CHECK(p[3] == -1 && leaf.p == p);
    ABSENT(&o.ps);
    ABSENT(&leaf);
    ABSENT(p);

#pragma omp target map(to : o.ps[0:1]) map(tofrom : o.ps->p[0:N])
    o.ps->p[4] = o.ps->d + o.ps->n;
    CHECK(p[4] == 8.5 && leaf.p == p);
    ABSENT(&leaf);
    ABSENT(p);

#pragma omp target map(tofrom : o.in.p[0:N], o.x)
    o.in.p[0] = o.x++;
    CHECK(o.in.p[0] == 1 && o.x == 2);
    ABSENT(&o);
    ABSENT(o.in.p);

#pragma omp target map(tofrom : q->next->in.p[2:3], q->next->ps->d)
    {
        q->next->in.p[3] += q->next->ps->d;
        q->next->ps->d = 9;
    }
    CHECK(tail.in.p[3] == 103.5 && leaf.d == 9 && o.next == &tail);
    ABSENT(q);
    ABSENT(&tail);
    ABSENT(tail.in.p + 2);
    ABSENT(&leaf);

#pragma omp target data map(tofrom : q->ps->p[0:N])
    {
        PRESENT(p);
#pragma omp target map(q->ps->p[0:N])
        q->ps->p[5] = 55;
    }
    CHECK(p[5] == 55);
    ABSENT(p);
    ABSENT(&leaf);
    ABSENT(&q->ps);

#pragma omp target enter data map(to : q->next->ps->p[0:N])
#pragma omp target map(alloc : q->next->ps->p[0:N])
    q->next->ps->p[6] = 66;
#pragma omp target update from(q->next->ps->p[6:1])
    CHECK(p[6] == 66);
#pragma omp target exit data map(from : q->next->ps->p[0:N])
    ABSENT(p);
    ABSENT(&leaf);
    ABSENT(&tail.ps);
    ABSENT(&o.next);

#pragma omp target map(tofrom : rows[1][0:N])
    rows[1][7] = 17.5;
    CHECK(rows[1][7] == 17.5);
    ABSENT(&rows[1]);
    ABSENT(rows[1]);
#pragma omp target map(to : pp[0:3]) map(tofrom : pp[2][0:N], pp[0][1:2])
    {
        pp[2][1] = pp[0][1] + 0.25;
        pp[0][2] = 99;
    }
    CHECK(rows[2][1] == 1.25 && rows[0][2] == 99 && pp == rows);
    ABSENT(pp);
    ABSENT(rows[2]);
    ABSENT(rows[0] + 1);

    const int k = 2;
#pragma omp target map(to : more[0:3]) map(tofrom : more[k].p[0:N], more[0].p[0:N])
    for (int i = 0; i < N; ++i)
        more[k].p[i] += more[0].p[i] + more[1].n;
    CHECK(more[2].p[7] == 2007 + 7 + 1 && more[0].p[7] == 7);
    ABSENT(more);
    ABSENT(more[2].p);

    free(p), free(o.in.p), free(tail.in.p);
    for (int i = 0; i < 3; ++i)
        free(rows[i]), free(more[i].p);
    return CHECK_RESULT();
}
