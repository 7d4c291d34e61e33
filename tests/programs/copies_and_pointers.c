/* How variables from outside reach a region, where constructs, copies and what is on the device meet. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 64
#define T 8

#pragma omp declare target
static int of_both = 5;
#pragma omp end declare target

/* A copy that begins with a value, and whose last value comes back. */
static void first_and_last(int *a)
{
    int x = 5, wrong = 0;
#pragma omp target parallel for firstprivate(x) lastprivate(x) map(to: a[0:N]) reduction(+: wrong)
    for (int i = 0; i < N; i++) {
        wrong += x < 5;
        x = 5 + a[i];
    }
    CHECK(wrong == 0 && x == 5 + N - 1);
}

/* The constructs of 'target parallel' are one, those of 'target' and 'parallel' are two: the region has its own copies
   of what the inner one returns, and a pointer that only the inner one copies is one on the device. */
static void of_inner_constructs(int *a)
{
    int sum = 100, last = -1, seen = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: seen)
    {
#pragma omp parallel for reduction(+: sum) lastprivate(last)
        for (int i = 0; i < N; i++) {
            sum += a[i]; // rex-ignore: lost-result: the copy is what is asked for
            last = i; // rex-ignore: lost-result: the copy is what is asked for
        }
        seen = sum + last;
    }
    CHECK(sum == 100 && last == -1 && seen == 100 + N * (N - 1) / 2 + N - 1); // rex-ignore: dropped-result: it is asked for
#pragma omp target map(to: a[0:N])
#pragma omp parallel for reduction(+: sum) lastprivate(last)
    for (int i = 0; i < N; i++) {
        sum += a[i]; // rex-ignore: lost-result: the copy is what is asked for
        last = i; // rex-ignore: lost-result: the copy is what is asked for
    }
    CHECK(sum == 100 && last == -1); // rex-ignore: dropped-result: it is asked for
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target
#pragma omp parallel for firstprivate(a)
        for (int i = 0; i < N; i++)
            a[i] += 1;
    }
    CHECK(a[0] == 1 && a[N - 1] == N);
#pragma omp target map(tofrom: a[0:N])
#pragma omp teams distribute parallel for firstprivate(a)
    for (int i = 0; i < N; i++)
        a[i] -= 1;
    CHECK(a[0] == 0 && a[N - 1] == N - 1);
}

/* The value of a variable of the device that a region has a copy of is the host's. */
static void of_the_host(void)
{
    int x = 0, sum = 0;
    of_both = 7;
#pragma omp target firstprivate(of_both) map(from: x)
    x = of_both;
    CHECK(x == 7);
#pragma omp target parallel for firstprivate(of_both) reduction(+: sum)
    for (int i = 0; i < N; i++)
        sum += of_both;
    CHECK(sum == 7 * N);
}

/* Threads that share a pointer see what others make of it. */
static void shared_pointers(int *a, int (*rows)[4])
{
    int wrong = 0, sum = 0, *next = a;
#pragma omp target parallel num_threads(T) map(to: a[0:N], rows[0:3]) map(tofrom: wrong)
    {
#pragma omp single
        {
            a = a + 5;
            rows++;
        }
#pragma omp critical
        wrong += *a != 5 || rows[0][1] != 11;
    }
    CHECK(wrong == 0 && *a == 0 && rows[0][1] == 1);
#pragma omp target teams distribute parallel for map(to: next[0:N]) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        int *mine;
#pragma omp atomic capture
        mine = next++;
        sum += *mine;
    }
    CHECK(sum == N * (N - 1) / 2 && *next == 0);
}

/* A pointer that is mapped itself, together with what it leads to. */
static void pointers_and_sections(int *a)
{
    int *p = a, *q = 0, x = 0, y = 0;
#pragma omp target map(to: p, p[0:N]) map(from: x)
    x = p[3];
    CHECK(x == 3);
#pragma omp target map(to: p, p[0:N]) map(tofrom: y)
    {
        int **at = &p;
        *at = p + 4; // rex-ignore: lost-result: the copy is what is asked for
        y = p[3];
    }
    CHECK(y == 7);
    p = a;
#pragma omp target data map(tofrom: a[0:N]) use_device_ptr(a)
    {
        q = a;
#pragma omp target is_device_ptr(q) map(from: x)
        x = q[9];
    }
    CHECK(x == 9);
}

int main(void)
{
    int a[N], rows[3][4];
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < 12; i++)
        rows[i / 4][i % 4] = i % 4 + 10 * (i / 4);
    first_and_last(a);
    of_inner_constructs(a);
    of_the_host();
    shared_pointers(a, rows);
    pointers_and_sections(a);
    return CHECK_RESULT();
}
