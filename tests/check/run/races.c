/* Accesses that nothing orders, whether or not they happen at the same time in this run. */
#include <omp.h>
#include <stdio.h>

enum { N = 256 };
static double x[N], y[N];
static int count, last;

static void dependence(void)
{
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1] + 1; // rex-expect: race
#pragma omp target map(tofrom: x)
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1] + 1;
}

static void anti_dependence(void)
{
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N - 1; ++i)
        x[i] = x[i + 1]; // rex-expect: race
#pragma omp target teams distribute parallel for map(tofrom: x) map(to: y)
    for (int i = 0; i < N - 1; ++i)
        x[i] = y[i + 1];
}

static double sum(void)
{
    double s = 0, t = 0;
#pragma omp target teams distribute parallel for map(tofrom: s) map(to: x)
    for (int i = 0; i < N; ++i)
        s += x[i]; // rex-expect: race
#pragma omp target teams distribute parallel for reduction(+: t) map(to: x)
    for (int i = 0; i < N; ++i)
        t += x[i];
    return s + t;
}

static int counted(void)
{
    int c = 0, d = 0, e = 0;
#pragma omp target teams distribute parallel for map(tofrom: c)
    for (int i = 0; i < N; ++i)
        c++; // rex-expect: race
#pragma omp target teams distribute parallel for map(tofrom: d)
    for (int i = 0; i < N; ++i)
#pragma omp atomic
        d++;
#pragma omp target parallel for map(tofrom: e)
    for (int i = 0; i < N; ++i)
#pragma omp critical
        e++;
    return c + d + e;
}

static void other_lock(void)
{
    int c = 0, d = 0;
#pragma omp target parallel for map(tofrom: c, d)
    for (int i = 0; i < N; ++i) {
#pragma omp critical(adding)
        c++; // rex-expect: race
#pragma omp critical(subtracting)
        c--; // rex-expect: race
#pragma omp critical(adding)
        d++;
#pragma omp critical(adding)
        d--;
    }
    count += c + d;
}

static void teams(void)
{
#pragma omp target teams distribute map(tofrom: y)
    for (int i = 0; i < 8; ++i) {
#pragma omp parallel for
        for (int j = 0; j < 8; ++j)
            y[j] = i; // rex-expect: race
    }
#pragma omp target teams distribute map(tofrom: y)
    for (int i = 0; i < 8; ++i) {
#pragma omp parallel for
        for (int j = 0; j < 8; ++j)
            y[8 * i + j] = i;
    }
}

static void no_barrier(void)
{
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp for nowait
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp for
        for (int i = 0; i < N; ++i)
            y[i] = x[N - 1 - i]; // rex-expect: race
    }
#pragma omp target parallel num_threads(4) map(tofrom: x, y)
    {
#pragma omp for
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp for
        for (int i = 0; i < N; ++i)
            y[i] = x[N - 1 - i];
    }
}

static void shared_in_the_region(void)
{
#pragma omp target map(tofrom: count)
    {
        int s = 0, t = 0;
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            s += i; // rex-expect: race
#pragma omp parallel for reduction(+: t)
        for (int i = 0; i < N; ++i)
            t += i;
        count = s + t;
    }
}

static void half_atomic(void)
{
#pragma omp target parallel num_threads(4) map(tofrom: last)
    {
        if (omp_get_thread_num() == 0)
            last = 1;
        else
#pragma omp atomic // rex-expect: race
            last += 1;
    }
}

static void by_thread(void)
{
    int own[8] = {0};
#pragma omp target parallel num_threads(4) map(tofrom: own)
    {
        const int me = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < N; ++i)
            own[me]++;
    }
    count += own[0];
}

static void sections(void)
{
    int one = 0, other = 0;
#pragma omp target map(tofrom: one, other)
#pragma omp parallel sections
    {
        one = 1;
#pragma omp section
        {
            one = 2; // rex-expect: race
            other = 2;
        }
    }
    count += one + other;
}

/* A static variable of device code is one for all threads, and a constant one is only read. */
static int digits(int value)
{
    static int found[8];
    static const int weights[3] = {1, 3, 7};
    int n = 0, sum = 0;
    for (; value; value /= 10)
        found[n++] = value % 10; // rex-expect: race
    while (n--)
        sum += weights[n % 3] * found[n]; // rex-expect: race
    return sum;
}

static void statics(void)
{
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i)
        x[i] = digits(i + 10);
}

int main(void)
{
    statics();
    sections();
    dependence();
    anti_dependence();
    const double s = sum();
    count += counted();
    other_lock();
    teams();
    no_barrier();
    shared_in_the_region();
    half_atomic();
    by_thread();
    printf("%d\n", s > 0 && count > 0);
    return 0;
}
