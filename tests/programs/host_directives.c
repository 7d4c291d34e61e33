/* omp directives without target stay with the host compiler, and work beside target regions. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 500

static int per_thread = 0;
#pragma omp threadprivate(per_thread)

#pragma omp declare simd notinbranch
static float average(float a, float b)
{
    return 0.5f * (a + b);
}

static long fib(int n)
{
    long x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x) if (n > 10)
    x = fib(n - 1);
#pragma omp task shared(y) if (n > 10)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

/* A region inside a host parallel loop: concurrent launches. */
static int device_sum(const int *p, int n)
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += p[i];
    return sum;
}

static int linked[4] = {1, 2, 3, 4};
#pragma omp declare target link(linked)

/* Regions where `default` wants every variable listed. */
static void listed(void)
{
    int x = 0, y = 1, n = 4, b[8] = {0};

#pragma omp parallel default(none) shared(x, b, n, linked, y) num_threads(2)
    {
#pragma omp single
        {
#pragma omp target teams distribute parallel for map(tofrom: b)
            for (int i = 0; i < 8; ++i)
                b[i] = i;
#pragma omp target data map(tofrom: b)
            {
#pragma omp target nowait depend(out: b)
                b[1] = 10;
#pragma omp target update from(b) depend(in: b)
            }
#pragma omp target map(to: linked) map(tofrom: x)
            x += linked[1];
#pragma omp task default(firstprivate) shared(b, x)
            {
#pragma omp target map(tofrom: b)
                b[2] = 20 + y;
#pragma omp target parallel for reduction(+: x)
                for (int i = 0; i < n; ++i)
                    x += 1;
            }
        }
    }
#pragma omp parallel default(private) shared(x) num_threads(2)
#pragma omp master
    {
        y = 3;
#pragma omp target map(tofrom: x) firstprivate(y)
        x += y;
    }
    CHECK(x == 9 && y == 1 && b[1] == 10 && b[2] == 21 && b[7] == 7);
}

int main(void)
{
    listed();
    int *a = (int *)malloc(N * sizeof *a), sums[8], total = 0, sections = 0;
    float x[N], y[N];
    long f = 0;

#pragma omp parallel for
    for (int i = 0; i < N; ++i) {
        a[i] = i;
        x[i] = (float)i;
    }

#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+: total)
    for (int k = 0; k < 8; ++k) {
        sums[k] = device_sum(a + k * 50, 50);
        total += sums[k];
    }
    for (int k = 0; k < 8; ++k)
        CHECK(sums[k] == 50 * 50 * k + 1225);
    CHECK(total == 79800);

#pragma omp simd
    for (int i = 0; i < N; ++i)
        y[i] = average(x[i], 2.0f);
    CHECK(y[10] == 6.0f);

#pragma omp parallel num_threads(2)
    {
#pragma omp single
        f = fib(18);
#pragma omp sections reduction(+: sections)
        {
#pragma omp section
            sections += 1;
#pragma omp section
            sections += 2;
        }
#pragma omp critical(host_only)
        per_thread += 1;
#pragma omp barrier
#pragma omp master
        {
#pragma omp target map(tofrom: a[0:N])
            for (int i = 0; i < N; ++i)
                a[i] += 1;
        }
    }
    CHECK(f == 2584 && sections == 3 && per_thread == 1 && a[N - 1] == N);

    int counter = 0, order = 0;
#pragma omp parallel for ordered reduction(+: counter)
    for (int i = 0; i < 20; ++i) {
        counter += i;
#pragma omp ordered
        order = order * 3 % 1000 + i;
    }
#pragma omp parallel
    {
#pragma omp atomic
        counter += 0;
#pragma omp flush
    }
#pragma omp taskgroup
    {
#pragma omp task shared(order)
        order += 1;
    }
    printf("%d %d %d\n", counter, order, omp_get_max_threads() >= 1);
    free(a);
    return CHECK_RESULT();
}
