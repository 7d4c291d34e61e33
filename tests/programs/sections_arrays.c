/* Array sections of arrays: constant and runtime bounds, lower bounds other than zero, omitted parts, single elements. */
#include "check.h"
#include "headers/device.h"

#define N 50

static int global[N];

static void reset(int *a)
{
    for (int i = 0; i < N; ++i)
        a[i] = i;
}

/* Whether a[low .. low+length) was doubled, and the rest left alone. */
static int doubled(const int *a, int low, int length)
{
    for (int i = 0; i < N; ++i)
        if (a[i] != (i >= low && i < low + length ? 2 * i : i))
            return 0;
    return 1;
}

int main(void)
{
    int a[N], low = 7, length = 11, first = 0;
    size_t wide = 20;

    /* The comma operator, whose operands act once. */
    reset(a);
#pragma omp target map(tofrom: a[first++, 5 : low, 10])
    for (int i = 5; i < 15; ++i)
        a[i] *= 2;
    CHECK(doubled(a, 5, 10) && first-- == 1);
    reset(a);
#pragma omp target map(tofrom: a[5:10])
    for (int i = 5; i < 15; ++i)
        a[i] *= 2;
    CHECK(doubled(a, 5, 10));

    reset(a);
#pragma omp target teams distribute parallel for map(tofrom: a[low:length])
    for (int i = low; i < low + length; ++i)
        a[i] *= 2;
    CHECK(doubled(a, low, length));

    reset(a);
#pragma omp target map(tofrom: a[:wide])
    for (size_t i = 0; i < wide; ++i)
        a[i] *= 2;
    CHECK(doubled(a, 0, 20));

    reset(a);
#pragma omp target map(tofrom: a[low * 2 + 1:])
    for (int i = 15; i < N; ++i)
        a[i] *= 2;
    CHECK(doubled(a, 15, N - 15));

    reset(a);
#pragma omp target map(tofrom: a[:])
    for (int i = 0; i < N; ++i)
        a[i] *= 2;
    CHECK(doubled(a, 0, N));

    reset(a);
#pragma omp target map(tofrom: a[low])
    a[low] *= 2;
    CHECK(doubled(a, low, 1));

    reset(global);
#pragma omp target parallel for map(tofrom: global[N - 10:10])
    for (int i = N - 10; i < N; ++i)
        global[i] *= 2;
    CHECK(doubled(global, N - 10, 10));

    /* What to maps for a section, and what stays outside of it. */
    reset(a);
#pragma omp target map(to: a[low:3]) map(from: first)
    first = a[low] + a[low + 2];
    CHECK(first == 16);

    /* Part of what a data region holds. */
    const int host = regions_on_host();
    reset(a);
#pragma omp target data map(to: a[10:30]) // rex-ignore: stale: what an update leaves out is tested
    {
#pragma omp target map(tofrom: a[20:5])
        for (int i = 20; i < 25; ++i)
            a[i] = 0;
        CHECK(a[20] == (host ? 0 : 20));
#pragma omp target update from(a[22:2])
        CHECK(a[21] == (host ? 0 : 21) && a[22] == 0 && a[23] == 0 && a[25] == 25);
    }

    /* An empty section transfers nothing. */
    reset(a);
    int none = 0;
#pragma omp target map(tofrom: a[0:none]) map(tofrom: first)
    first += 1;
    CHECK(first == 17 && doubled(a, 0, 0));
    return CHECK_RESULT();
}
