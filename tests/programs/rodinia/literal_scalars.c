/* Scalars that travel by value: explicit map(to:), firstprivate and implicit ones, and those that must not. */
#include "../check.h"

#include <stdint.h>

int main(void)
{
    int n = 32, a[32], changed = 5;
    char c = 3;
    unsigned short us = 40000;
    float f = 0.5f;
    double d = -2.25;
    int64_t big = -(1LL << 40);
    _Bool flag = 1;

    for (int i = 0; i < 32; ++i)
        a[i] = i;
#pragma omp target map(to: n) map(tofrom: a[0:32])
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        a[i] = a[i] + n;
    for (int i = 0; i < 32; ++i)
        CHECK(a[i] == i + 32);

    double x[32];
#pragma omp target teams distribute parallel for map(to: c, us) firstprivate(f, big) map(from: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = c + us + (double)f + d + (double)big + flag;
    for (int i = 0; i < 32; ++i)
        CHECK(x[i] == 3 + 40000 + 0.5 - 2.25 - 1099511627776.0 + 1);

    /* Copied back, so it needs storage. */
#pragma omp target map(tofrom: changed)
    changed += n;
    CHECK(changed == 37);

    /* Mapped around the region: the region's own map(to:) finds that storage, with the value it has there. */
    int seen = 0;
#pragma omp target data map(tofrom: changed)
    {
#pragma omp target map(to: changed)
        changed = 1000;
#pragma omp target map(to: changed) map(from: seen)
        seen = changed;
    }
    CHECK(seen == 1000 && changed == 1000);
    printf("%d %.2f\n", a[31], x[0]);
    return CHECK_RESULT();
}
