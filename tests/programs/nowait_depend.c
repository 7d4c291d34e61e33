/* nowait and depend: chains of deferred regions and data directives, among them host tasks. */
// reference: -Wno-unknown-pragmas
/* gcc 12's libgomp hangs in some of the runs, where threads share deferred regions without a device. */
#include "check.h"

#include <stdlib.h>

#define N 600

/* The function is left before the regions run, its parameters gone. */
static void later(int *p, int n, int by)
{
#pragma omp target teams distribute parallel for nowait depend(inout: p[0]) map(tofrom: p[0:n])
    for (int i = 0; i < 50; ++i)
        p[i] += by;
}

static int *current, *next;

static void exchange(void)
{
    int *before = current;
    current = next;
    next = before;
}

/* Pointers at file scope have other values by the time that the regions run. */
static void swapping(int *a, int *b)
{
    static int size;
    for (int i = 0; i < 100; ++i)
        a[i] = i, b[i] = 0;
    current = a, next = b;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out: a[0]) depend(out: b[0])
        for (volatile int k = 0; k < 10000000; ++k)
            ;
        for (size = 100; size > 60; size -= 10) {
#pragma omp target teams distribute parallel for nowait depend(in: current[0]) depend(out: next[0]) \
    map(to: current[0:size]) map(tofrom: next[0:size])
            for (int i = 0; i < size; ++i)
                next[i] = current[i] + 1;
            exchange();
        }
    }
    /* Four steps, each over ten elements less. */
    for (int i = 0; i < 100; ++i)
        CHECK(a[i] == (i < 70 ? i + 4 : i < 90 ? i + 2 : i) && b[i] == (i < 80 ? i + 3 : i + 1));
}

/* Regions set these before they use them, and the tasks that launch the regions find no value in them. */
static void temporaries(int *a, int on_device)
{
    int t;
    double d;
    unsigned char c;
    for (int i = 0; i < 4; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for nowait depend(inout: a[0]) map(tofrom: a[0:4])
    for (int i = 0; i < 4; ++i) {
        t = a[i];    // rex-ignore: race: as a copy of the region's, each thread has its own here
        d = t + 0.5; // rex-ignore: race
        a[i] = (int)(2 * d);
    }
#pragma omp target nowait depend(inout: a[0]) map(tofrom: a[0:4]) if(on_device)
    {
        c = (unsigned char)a[3];
        a[0] += c;
    }
#pragma omp taskwait
    CHECK(a[0] == 8 && a[1] == 3 && a[2] == 5 && a[3] == 7);
}

static void later_data(int *p, int from, int n)
{
#pragma omp target update to(p[from:n]) nowait depend(inout: p[0])
#pragma omp target nowait depend(inout: p[0])
    p[from] *= 2;
#pragma omp target update from(p[from:n]) nowait depend(inout: p[0])
}

/* Held back for a while by a task that the others depend on, so that they run after all have been met. */
static void deferred(int *a, int *b)
{
    int *p = a, m = 50;
    for (int i = 0; i < 100; ++i)
        a[i] = b[i] = i;
#pragma omp target enter data map(to: b[0:100])
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out: a[0]) depend(out: b[0])
        for (volatile int k = 0; k < 10000000; ++k)
            ;
        for (int k = 1; k < 4; ++k) {
            later(a, 50, k);
            later_data(b, 10 * k, k);
        }
#pragma omp target map(tofrom: p[0:m]) nowait depend(inout: a[0])
        for (int i = 0; i < 50; ++i)
            p[i] += 100;
        p = a + 50, m = 25;
#pragma omp target map(tofrom: p[0:m]) nowait depend(inout: a[0])
        p[24] = -1;
        p = NULL, m = 0;
    }
#pragma omp target exit data map(delete: b[0:100])
    for (int i = 0; i < 100; ++i) {
        CHECK(a[i] == (i < 50 ? i + 106 : i == 74 ? -1 : i));
        CHECK(b[i] == (i == 10 || i == 20 || i == 30 ? 2 * i : i));
    }
}

int main(void)
{
    int *a = (int *)malloc(N * sizeof *a), *b = (int *)malloc(N * sizeof *b), *c = (int *)malloc(N * sizeof *c);
    int x = 1, y = 2, n = N;

    for (int i = 0; i < N; ++i) {
        a[i] = i;
        b[i] = 1;
        c[i] = 0;
    }

    /* Two independent regions and one that needs both. */
#pragma omp target teams distribute parallel for nowait depend(out: a[0]) map(tofrom: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] += 10;
#pragma omp target teams distribute parallel for nowait depend(out: b[0]) map(tofrom: b[0:n])
    for (int i = 0; i < n; ++i)
        b[i] += i;
#pragma omp target parallel for nowait depend(in: a[0], b[0]) depend(out: c[0]) map(to: a[0:n], b[0:n]) map(from: c[0:n])
    for (int i = 0; i < n; ++i)
        c[i] = a[i] + b[i];
#pragma omp taskwait
    for (int i = 0; i < N; ++i)
        CHECK(c[i] == 2 * i + 11);

    /* Unstructured data and a host task in one chain. */
#pragma omp target enter data map(to: a[0:n]) nowait depend(out: a[0:n])
#pragma omp target teams distribute parallel for nowait depend(inout: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] *= 2;
#pragma omp target update from(a[0:n]) nowait depend(inout: a[0:n])
#pragma omp task depend(inout: a[0:n]) firstprivate(n)
    for (int i = 0; i < n; ++i)
        a[i] += 1;
#pragma omp target update to(a[0:n]) nowait depend(inout: a[0:n])
#pragma omp target nowait depend(inout: a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] = -a[i];
#pragma omp target exit data map(from: a[0:n]) nowait depend(inout: a[0:n])
#pragma omp taskwait
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == -(2 * (i + 10) + 1));

    /* depend without nowait: the encountering task waits. */
#pragma omp task depend(out: x) shared(x)
    x = 5;
#pragma omp target map(tofrom: x, y) depend(inout: x)
    {
        x += 1;
        y = x * 10;
    }
    CHECK(x == 6 && y == 60);
    temporaries(a, y == 60);
    deferred(a, b);
    swapping(a, b);

    /* Values are taken when the construct is met, not when it runs. */
    int factor = 3;
#pragma omp target nowait map(tofrom: y) firstprivate(factor) depend(inout: y)
    y *= factor;
    factor = 1000;
#pragma omp target nowait map(tofrom: y) depend(inout: y)
    y += 1;
#pragma omp taskwait
    CHECK(y == 181);

    /* From within a parallel region of the host. */
    int parts[4] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int k = 0; k < 4; ++k) {
#pragma omp target nowait map(tofrom: parts[k:1])
        parts[k] = k + 1;
    }
    printf("%d %d %d %d %d\n", parts[0], parts[1], parts[2], parts[3], factor);
    free(a);
    free(b);
    free(c);
    return CHECK_RESULT();
}
