/* Values that are not the ones that the program means: undefined, old or lost ones. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

static int kept[N];

/* In the first function of a unit, where addr2line has named a file of ours, whose lines are not reported. */
static int read_in_first_function(void)
{
    return kept[3]; // rex-expect: dropped-result
}

static int never_back(void)
{
#pragma omp target map(to: kept)
    kept[3] = 4;
    return read_in_first_function();
}

static int *filled(int n)
{
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i)
        a[i] = i;
    return a;
}

static void only_from(int *a)
{
#pragma omp target teams distribute parallel for map(from: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += 1; // rex-expect: uninitialised-read
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += 1;
}

static int only_alloc(int *a)
{
    int sum = 0;
#pragma omp target map(alloc: a[0:N]) map(tofrom: sum)
    sum += a[3]; // rex-expect: uninitialised-read
#pragma omp target map(alloc: a[0:N]) map(tofrom: sum)
    {
        a[3] = 1;
        sum += a[3];
    }
    for (int i = 0; i < N; ++i)
        a[i] = i;
    return sum;
}

static int never_written(void)
{
    int *a = malloc(N * sizeof(int)), sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[3]; // rex-expect: uninitialised-read
    free(a);
    return sum;
}

static int part_comes_back(void)
{
    int *a = malloc(N * sizeof(int)), sum = 0;
#pragma omp target map(from: a[0:N])
    for (int i = 0; i < N / 2; ++i)
        a[i] = i;
    sum += a[0];
    sum += a[N - 1]; // rex-expect: uninitialised-read
    free(a);
    return sum;
}

static int missing_update_from(int *a)
{
    int seen;
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target
        a[3] = 30;
        seen = a[3]; // rex-expect: stale-read-on-host
#pragma omp target update from(a[0:N])
        seen += a[3];
    }
    return seen + a[3];
}

static int missing_update_to(int *a)
{
    int seen = 0;
#pragma omp target data map(to: a[0:N])
    {
        a[3] = 40;
#pragma omp target map(tofrom: seen)
        seen += a[3]; // rex-expect: stale-read-on-device
#pragma omp target update to(a[3:1])
#pragma omp target map(tofrom: seen)
        seen += a[3];
    }
    return seen;
}

static int dropped(int *a)
{
    int count = 0;
#pragma omp target map(to: a[0:N], count)
    {
        a[5] = 1;
        count += 1;
    }
    int seen = a[5]; // rex-expect: dropped-result
    seen += count; // rex-expect: dropped-result
#pragma omp target map(tofrom: a[0:N], count)
    {
        a[5] = 1;
        count += 1;
    }
    return seen + a[5] + count;
}

static int dropped_from_parts(int *a)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target
    a[7] = 1;
#pragma omp target exit data map(release: a[0:N])
    return a[7]; // rex-expect: dropped-result
}

static int lost(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target
        a[1] = 1;
        a[2] = 20;
    }
    return a[1] + a[2]; // rex-expect: lost-host-write
}

static int lost_for_the_device(int *a)
{
    int sum = 0;
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target
        a[1] = 1;
        a[5] = 50;
        a[6] = 60;
    }
    a[6] = 60;
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[1] + a[6];
#pragma omp target map(tofrom: a[0:N], sum)
    sum += a[5]; // rex-expect: lost-host-write
#pragma omp target map(tofrom: a[0:N], sum)
    {
        a[5] = 3;
        sum += a[5];
    }
    return sum + a[5];
}

int main(void)
{
    int known = never_back();
    int *a = filled(N);
    int sum = only_alloc(a) + never_written() + part_comes_back() + missing_update_from(a) + missing_update_to(a);
    only_from(a);
    sum += dropped(a) + dropped_from_parts(a) + lost(a) + lost_for_the_device(a);
    printf("%d %d\n", sum, known);
    free(a);
    return 0;
}
