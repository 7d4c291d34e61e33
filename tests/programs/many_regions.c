/* Several regions in several functions, with the same variable names, in loops, called often; early returns of the caller. */
#include "check.h"

#include <stdlib.h>

#define N 100

static int calls;

static void add(int *a, int n, int x)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] += x;
    ++calls;
}

static int find(const int *a, int n, int x)
{
    int found = n;
    if (n == 0)
        return -1;
#pragma omp target teams distribute parallel for map(to: a[0:n]) reduction(min: found)
    for (int i = 0; i < n; ++i)
        if (a[i] == x && i < found)
            found = i;
    if (found == n)
        return -1;
    return found;
}

static double mean(const int *a, int n)
{
    long sum = 0;
#pragma omp target parallel for map(to: a[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += a[i];
    return (double)sum / n;
}

static void add_twice(int *a, int n, int x)
{
#pragma omp target data map(tofrom: a[0:n])
    {
        add(a, n, x);
        add(a, n, x);
    }
}

int main(void)
{
    int a[N], b[N];

    for (int i = 0; i < N; ++i) {
        a[i] = i;
        b[i] = -i;
    }
    for (int round = 0; round < 20; ++round) {
        add(a, N, round);
        add(b, N / 2, 1);
    }
    add_twice(a, 10, 100);
    CHECK(calls == 42);
    CHECK(a[0] == 390 && a[9] == 399 && a[10] == 200 && a[99] == 289);
    CHECK(b[0] == 20 && b[49] == -29 && b[50] == -50);
    CHECK(find(a, N, 250) == 60 && find(a, N, 7) == -1 && find(a, 0, 1) == -1);
    printf("%.2f %.2f\n", mean(a, N), mean(b, N));

#pragma omp target
    for (int i = 0; i < N; ++i) a[i] = 1;
#pragma omp target
    for (int i = 0; i < N; ++i) a[i] += 1;
#pragma omp target
    for (int i = 0; i < N; ++i) a[i] *= 5;
    CHECK(a[17] == 10);
    return CHECK_RESULT();
}
