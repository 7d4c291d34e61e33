/* metadirective: variants by device kind, architecture, vendor and condition, on the device and on the host. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#define N 256

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

    total = 0;
#pragma omp metadirective when(implementation = {vendor(score(3): gnu)}: parallel for reduction(+: total)) default(single)
    for (int i = 0; i < N; ++i)
        total += 2;
    CHECK(total == 2 * N);
    return CHECK_RESULT();
}
