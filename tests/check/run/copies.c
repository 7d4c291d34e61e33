/* Changes of copies: the region's own copy of a scalar that no clause mentions, and changes that are lost, and mapped again. */
#include <stdio.h>

enum { N = 48 };
static unsigned a[N], b[N];

static int alone(void)
{
    int found = 0;
#pragma omp target
    found = 1;
    return found; // rex-expect: dropped-result
}

static int threads(void)
{
    int n = 0;
#pragma omp target parallel num_threads(4)
    n += 1; // rex-expect: race
    return n; // rex-expect: dropped-result
}

static int teams(void)
{
    int n = 0;
#pragma omp target teams num_teams(4)
    n += 1; // rex-expect: race
    return n; // rex-expect: dropped-result
}

static double sum(void)
{
    double s = 0, t = 0;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        s += i; // rex-expect: race
#pragma omp target teams distribute parallel for reduction(+: t)
    for (int i = 0; i < N; ++i)
        t += i;
    return t + s; // rex-expect: dropped-result
}

/* The write that ends a reduction is a write. */
static int sum_of_inner_constructs(void)
{
    int s = 0, t = 0, u = 0;
#pragma omp target teams
#pragma omp distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += i;
#pragma omp target
#pragma omp parallel for reduction(+: t)
    for (int i = 0; i < N; ++i)
        t += i;
#pragma omp target map(tofrom: u)
#pragma omp parallel for reduction(+: u)
    for (int i = 0; i < N; ++i)
        u += i;
    u += s; // rex-expect: dropped-result
    return t + u; // rex-expect: dropped-result
}

static unsigned temporary(void)
{
    unsigned t = 0, u = 0;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < N; ++i) {
        t = a[i] + 1, a[i] = t; // rex-expect: race
    }
#pragma omp target teams distribute parallel for map(tofrom: a) private(u)
    for (int i = 0; i < N; ++i) {
        u = a[i] + 1;
        a[i] = u;
    }
    t = u = 3; /* what the host writes itself is no result */
    return t + u;
}

static int inside(void)
{
    int s = 0;
#pragma omp target
    {
        s = 2;
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            s += i; // rex-expect: race
    }
    s = 0;
#pragma omp target firstprivate(s)
    s = 2;
    return s;
}

static void mapped_again(void)
{
#pragma omp target teams distribute parallel for map(to: a)
    for (int i = 0; i < N; ++i)
        a[i] = 6 * i;
#pragma omp target teams distribute parallel for map(tofrom: b)
    for (int i = 0; i < N; ++i)
        b[i] = a[i]; // rex-expect: dropped-result
    printf("%u\n", a[3]); // rex-expect: dropped-result
#pragma omp target teams distribute parallel for map(to: b) /* room for what the region computes */
    for (int i = 0; i < N; ++i)
        b[i] = 7;
#pragma omp target teams distribute parallel for map(tofrom: b)
    for (int i = 0; i < N; ++i)
        b[i] = i;
    printf("%u\n", b[3]);
}

static void part_of_it_again(void)
{
    for (int i = 0; i < N; ++i)
        a[i] = b[i] = i;
#pragma omp target teams distribute parallel for map(to: a)
    for (int i = 0; i < N; ++i)
        a[i] += 1;
#pragma omp target teams distribute parallel for map(from: a[8:8])
    for (int i = 8; i < 16; ++i)
        a[i] = 5;
    printf("%u %u\n", b[3], a[9]);
    printf("%u\n", a[3]); // rex-expect: dropped-result
    printf("%u\n", a[40]); // rex-expect: dropped-result
}

int main(void)
{
    printf("%d %f\n", alone() + threads() + teams() + inside() + sum_of_inner_constructs(), sum() + temporary());
    mapped_again();
    part_of_it_again();
    return 0;
}
