/* metadirective: variants by device kind, architecture, vendor and condition, on the device and on the host. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include <omp.h>
#include "check.h"

#define N 256

/* Called from host code and from regions, each with a choice of its own. */
static void scale(int *a, int by)
{
#pragma omp metadirective when(construct = {target}: distribute parallel for) default(parallel for simd)
    for (int i = 0; i < N; ++i)
        a[i] *= by;
}

static int falling(int n, int *inside)
{
#ifndef REFERENCE
#pragma omp metadirective when(device = {kind(nohost)}: nothing) otherwise(masked filter(7))
#else
    if (n > N)
#endif
        *inside += n;
    return n > 0 ? n + falling(n - 1, inside) : 0;
}

static void anywhere(int *x)
{
#pragma omp metadirective when(construct = {target}: nothing) otherwise(target map(tofrom: x[0:1]))
    x[0] += 3;
}

int main(void)
{
    int a[N], b[N] = {0}, total = 0, once = 0;

    for (int i = 0; i < N; ++i)
        a[i] = i;

#pragma omp target map(to: a) map(tofrom: b)
#pragma omp metadirective when(device = {arch("nvptx")}: teams distribute parallel for) default(parallel for)
    for (int i = 0; i < N; ++i)
        b[i] += a[i];
    for (int i = 0; i < N; ++i)
        CHECK(b[i] == i);

#pragma omp metadirective when(user = {condition(1 > 2)}: nothing) \
    when(device = {kind(host)}, user = {condition(1)}: target teams distribute parallel for map(tofrom: b)) \
    default(parallel for)
    for (int i = 0; i < N; ++i)
        b[i] += 1;
    for (int i = 0; i < N; ++i)
        CHECK(b[i] == i + 1);

#pragma omp target map(tofrom: total)
    {
#pragma omp metadirective when(implementation = {vendor(nobody)}: parallel for) otherwise(parallel for reduction(+: total))
        for (int i = 0; i < N; ++i)
            total += i;
    }
    CHECK(total == N * (N - 1) / 2);

#pragma omp metadirective when(device = {kind(nohost)}: target)
    {
        once += 1;
    }
#ifndef REFERENCE /* gcc knows neither, but takes the second for a mistake */
#pragma omp begin metadirective when(target_device = {kind(gpu)}: target map(tofrom: once))
#endif
    {
        once += 10;
    }
#ifndef REFERENCE
#pragma omp end metadirective
#endif
    CHECK(once == 11);

    scale(b, 2);
#pragma omp target teams map(tofrom: b)
    scale(b, 5);
    for (int i = 0; i < N; ++i)
        CHECK(b[i] == 10 * (i + 1));

    int inside = 0, other = 0, both = 1;
    anywhere(&both);
#pragma omp target map(tofrom: both)
    anywhere(&both);
    CHECK(both == 7);
    CHECK(falling(5, &inside) == 15 && inside == 0);
    int initial = 1;
#pragma omp target map(tofrom: inside, other, initial)
    {
        other = falling(5, &inside);
        initial = omp_is_initial_device();
    }
    CHECK(other == 15 && inside == (initial ? 0 : 15));

    total = 0;
#pragma omp metadirective when(implementation = {vendor(score(3): gnu)}: parallel for reduction(+: total)) default(single)
    for (int i = 0; i < N; ++i)
        total += 2;
    CHECK(total == 2 * N);

    /* Nothing, where the directive is omitted. */
    total = 0;
#pragma omp target map(tofrom: total)
    {
#pragma omp metadirective when(device = {kind(fpga)}: parallel num_threads(2)) default()
        total += 1;
#pragma omp metadirective when(implementation = {vendor(nobody)}: parallel num_threads(2)) otherwise()
        total += 2;
    }
#pragma omp metadirective when(user = {condition(0)}: parallel for) otherwise()
    for (int i = 0; i < 4; ++i)
        total += 4;
    CHECK(total == 19);

    /* Jumps that stay in the construct on the host, or that leave a statement for which no directive stands. */
    total = 0;
#pragma omp metadirective when(user = {condition(1)}: parallel for collapse(2) reduction(+: total)) otherwise(nothing)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            if (j > i)
                continue;
            for (;;)
                break;
            if (j == i)
                goto next;
            total += 1;
        next:;
        }
    CHECK(total == 6);
#pragma omp metadirective when(user = {condition(0)}: parallel) otherwise(nothing)
    for (int i = 0; i < 4; ++i)
        if (i > 1)
            return CHECK_RESULT();
    return 1;
}
