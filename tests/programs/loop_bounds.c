/* Bounds that are variables, members, array elements and calls; a step that is a variable; mixed types. */
#include "check.h"

#include <stdlib.h>

struct range {
    int first, last, step;
};

static int limit_of(int x)
{
    return x * 2;
}

int main(void)
{
    struct range r = {5, 50, 4};
    struct range *q = &r;
    int bounds[2] = {3, 30}, n = 12;
    long long sum = 0;
    unsigned char small = 25;
    size_t size = 40;
    int a[60] = {0};

#pragma omp target teams distribute parallel for reduction(+: sum) map(to: r)
    for (int i = r.first; i < r.last; i += r.step)
        sum += i;
    printf("%lld\n", sum);

    const int first = q->first, last = q->last, step = q->step;
#pragma omp target parallel for reduction(+: sum)
    for (int i = last; i > first; i -= step)
        sum += i;
    printf("%lld\n", sum);

#pragma omp target teams distribute parallel for reduction(+: sum) map(to: bounds)
    for (int i = bounds[0]; i < bounds[1]; ++i)
        sum += i;
    printf("%lld\n", sum);

#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = limit_of(2); i < limit_of(n); i++)
        a[i] = i;
    for (int i = 0; i < 60; ++i)
        CHECK(a[i] == (i >= 4 && i < 24 ? i : 0));

#pragma omp target teams distribute parallel for map(tofrom: a)
    for (size_t i = small; i < size; ++i)
        a[i] = -1;
    CHECK(a[24] == 0 && a[25] == -1 && a[39] == -1 && a[40] == 0);

#pragma omp target parallel for map(tofrom: a)
    for (int i = 0; i < (int)(sizeof a / sizeof *a); i += small)
        a[i] = 7;
    CHECK(a[0] == 7 && a[25] == 7 && a[50] == 7 && a[1] == 0);

    /* The bounds are taken before the loop; what the body does to n does not count. */
    int visits = 0;
#pragma omp target parallel for reduction(+: visits) firstprivate(n)
    for (int i = 0; i < n; ++i)
        visits += 1;
    CHECK(visits == 12);

    /* A one-iteration loop, and a loop with one iteration per long step. */
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 59; i < 60; i += 1000000)
        a[i] = 99;
    CHECK(a[59] == 99);
    return CHECK_RESULT();
}
