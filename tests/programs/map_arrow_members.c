/* Members reached through a pointer: q->a, q[0:1] with q->p[0:n], in data constructs. */
// reference: -Wno-unknown-pragmas
#include "check.h"
#include "headers/device.h"

#include <stdlib.h>

struct block {
    int n;
    float scale;
    double *p;
    struct block *next;
};

static void apply(struct block *q)
{
#pragma omp target teams distribute parallel for map(to: q[0:1]) map(tofrom: q->p[0:q->n])
    for (int i = 0; i < q->n; ++i)
        q->p[i] = q->p[i] * q->scale;
}

static double sum(const struct block *q)
{
    double total = 0;
#pragma omp target teams distribute parallel for map(to: q->n, q->p[0:q->n]) reduction(+: total)
    for (int i = 0; i < q->n; ++i)
        total += q->p[i];
    return total;
}

int main(void)
{
    const int host = regions_on_host(), n = 80;
    struct block last = {n, 0.5f, (double *)malloc(n * sizeof(double)), NULL};
    struct block first = {n, 2.0f, (double *)malloc(n * sizeof(double)), &last};
    struct block *q = &first;
    double *const p = first.p;

    for (int i = 0; i < n; ++i)
        first.p[i] = last.p[i] = i;

    apply(q);
    apply(q->next);
    CHECK(first.p == p);
    for (int i = 0; i < n; ++i)
        CHECK(first.p[i] == 2 * i && last.p[i] == 0.5 * i);
    printf("%.1f %.1f\n", sum(q), sum(&last));

#pragma omp target map(tofrom: q->scale)
    q->scale += 1;
    CHECK(first.scale == 3.0f && first.n == n);

#pragma omp target map(to: q->n) map(from: q->scale)
    q->scale = (float)q->n;
    CHECK(first.scale == 80.0f);

#pragma omp target map(tofrom: q[0])
    q->n = 40;
    CHECK(first.n == 40);
    first.n = n;

#pragma omp target map(tofrom: q->p[4:2])
    q->p[4] = q->p[5] = -1;
    CHECK(p[3] == 6 && p[4] == -1 && p[5] == -1 && p[6] == 12);

    /* In a data region, used by regions that map nothing themselves. */
#pragma omp target data map(tofrom: q[0:1]) map(tofrom: q->p[0:n])
    {
#pragma omp target
        for (int i = 0; i < q->n; ++i)
            q->p[i] = i;
        CHECK(p[10] == (host ? 10 : 20)); // rex-ignore: stale: nothing comes back yet
#pragma omp target
        q->p[0] = q->n;
    }
    CHECK(first.p == p && p[0] == n && p[10] == 10);

#pragma omp target enter data map(to: q[0:1]) map(to: q->p[0:n])
#pragma omp target
    q->p[1] = 11;
#pragma omp target exit data map(from: q->p[0:n]) map(release: q[0:1])
    CHECK(p[1] == 11 && first.p == p);

    free(first.p);
    free(last.p);
    return CHECK_RESULT();
}
