/* Regions with `nowait` run beside the host and beside each other until something orders them. */
#include <stdlib.h>

enum { N = 64 };

static int read_too_early(void)
{
    int n = 0, seen;
#pragma omp target map(tofrom: n) nowait
    n = 42;
    seen = n; // rex-expect: nowait
#pragma omp taskwait
    return seen + n;
}

static int written_too_early(int *a)
{
    int sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: sum) nowait
    for (int i = 0; i < N; ++i)
        sum += a[i];
    a[5] = 7; // rex-expect: nowait
#pragma omp taskwait
    a[5] = 5;
    return sum;
}

static int freed_too_early(void)
{
    int *a = calloc(N, sizeof(int)), sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: sum) nowait
    for (int i = 0; i < N; ++i)
        sum += a[i];
    free(a); // rex-expect: nowait
#pragma omp taskwait
    return sum;
}

/* The region does not use this element, but it is copied back. */
static int unused_element(int *a)
{
#pragma omp target map(tofrom: a[0:N]) nowait
    a[1] = 1;
    a[N - 1] = 3; // rex-expect: nowait
#pragma omp taskwait
    return a[1];
}

static void update_in_between(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target
        a[2] = 1;
#pragma omp target update from(a[0:N]) nowait
        a[2] += 1; // rex-expect: nowait
#pragma omp taskwait
#pragma omp target update to(a[0:N])
    }
}

static void two_regions(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target nowait
        for (int i = 0; i < N; ++i)
            a[i] += 1;
#pragma omp target nowait
        for (int i = 0; i < N; ++i)
            a[i] *= 2; // rex-expect: race
#pragma omp taskwait
    }
}

static void region_beside_the_hosts(int *a)
{
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target nowait
        a[3] += 1;
#pragma omp target
        a[3] *= 2; // rex-expect: race
#pragma omp taskwait
    }
}

static void another_variable(int *a, int *b)
{
#pragma omp target data map(tofrom: a[0:N], b[0:N])
    {
#pragma omp target nowait depend(out: a[0])
        a[3] += 1;
#pragma omp target nowait depend(out: b[0])
        b[3] += a[3]; // rex-expect: race
#pragma omp taskwait
    }
}

static int second_maps_too(void)
{
    int n = 1;
#pragma omp target map(tofrom: n) nowait
    n += 1;
#pragma omp target map(tofrom: n) // rex-expect: nowait
    n *= 2;
#pragma omp taskwait
    return n;
}

static int waits_for_another(int *a)
{
    int n = 0, m = 0, seen;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 1;
#pragma omp target map(tofrom: m) nowait depend(out: m)
    m = 1;
#pragma omp taskwait depend(in: n)
    seen = n;
    seen += m; // rex-expect: nowait
#pragma omp taskwait
    return seen + a[0];
}

static int group_too_late(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 1;
#pragma omp taskgroup
    {
#pragma omp target update to(n) nowait
    }
    n += 1; // rex-expect: nowait
#pragma omp taskwait
    return n;
}

/* ---- right ones ---- */

static int waited(int *a)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 42;
#pragma omp taskwait
    n += 1;
#pragma omp taskgroup
    {
#pragma omp target map(tofrom: a[0:N]) nowait
        a[1] = 2;
    }
    return n + a[1];
}

static int ordered_by_depend(int *a)
{
    int sum = 0;
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target nowait depend(out: a[0])
        a[3] += 1;
#pragma omp target nowait depend(inout: a[0])
        a[3] *= 2;
#pragma omp target nowait depend(in: a[0]) map(tofrom: sum)
        sum += a[3];
#pragma omp target depend(in: a[0])
        (void)a[3];
#pragma omp taskwait
    }
    return sum;
}

static int joined_by_depend(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 1;
#pragma omp taskwait depend(in: n)
    n += 1;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n += 1;
#pragma omp target map(tofrom: n) depend(inout: n)
    n += 1;
    return n;
}

static int apart(int *a, int *b)
{
    int other = 0;
#pragma omp target map(tofrom: a[0:N / 2]) nowait
    a[1] += 1;
#pragma omp target map(tofrom: b[0:N]) map(to: a[N / 2:N / 2]) nowait
    b[1] += a[N - 1];
    other = a[N - 1] + 1;
#pragma omp taskwait
    return other + b[1] + a[1];
}

static int both_read(int *a)
{
    int one = 0, two = 0;
#pragma omp target data map(to: a[0:N])
    {
#pragma omp target map(tofrom: one) nowait
        one += a[1];
#pragma omp target map(tofrom: two) nowait
        two += a[1];
        int three = a[1];
#pragma omp taskwait
        two += three;
    }
    return one + two;
}

static int in_parallel(void)
{
    int n = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(tofrom: n) nowait
        n = 1;
    }
    return n;
}

static int tasks_of_the_host(void)
{
    int n = 0, m = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(n) depend(out: n)
        n = 5;
#pragma omp target map(tofrom: n, m) nowait depend(inout: n)
        m = n + 1;
#pragma omp task shared(n) depend(in: n)
        n += m;
    }
    return n;
}

/* Tasks of a reduction that run on one thread have the same copy, one after the other. A task's own regions may be beside each other. */
static int copies_of_a_reduction(void)
{
    int n = 0, m = 0, parts[4] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : n, m, parts[1:2])
    {
#pragma omp target nowait in_reduction(+ : n, parts[1:2])
        {
            n += 1;
            parts[1] += n;
        }
#pragma omp task in_reduction(+ : n, parts[1:2])
        {
#pragma omp target map(tofrom: n, parts[1:2])
            {
                n += 2;
                parts[1] += n;
            }
            n += parts[2];
        }
#pragma omp target teams distribute parallel for in_reduction(+ : n)
        for (int i = 0; i < 4; ++i)
            n += i;
#pragma omp task in_reduction(+ : m)
        {
#pragma omp target map(tofrom: m) nowait
            m += 1;
#pragma omp target map(tofrom: m) nowait // rex-expect: nowait
            m += 2; // rex-expect: race
#pragma omp taskwait
        }
    }
    return n + m;
}

int main(void)
{
    int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int)), sum = 0;
    sum += read_too_early() + written_too_early(a) + unused_element(a);
    sum += freed_too_early();
    update_in_between(a);
    two_regions(a);
    region_beside_the_hosts(a);
    another_variable(a, b);
    sum += second_maps_too() + waits_for_another(a) + group_too_late();
    sum += waited(a) + ordered_by_depend(a) + joined_by_depend() + apart(a, b) + both_read(a) + in_parallel();
    sum += tasks_of_the_host() + copies_of_a_reduction();
    free(a);
    free(b);
    return sum == 1;
}
