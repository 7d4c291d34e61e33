/* Wrong: a region changes a copy, and the host goes on with what it had before. */
#include <stdio.h>
#include <stdlib.h>
#define N 100
typedef struct { int a, b; } pair;

int implicit_copy(int *x)
{
    int found = 0;
#pragma omp target map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        if (x[i] == 7)
            found = 1; // rex-expect: lost-result
    return found;
}
double counted(void)
{
    double sum = 0;
#pragma omp target
    sum += 1; // rex-expect: lost-result
    return sum;
}
int mapped_to(void)
{
    int n = 0;
#pragma omp target map(to: n)
    n = 5; // rex-expect: lost-result
    return n;
}
int mapped_alloc(void)
{
    int n = 0;
#pragma omp target map(alloc: n)
    n = 5; // rex-expect: lost-result
    return n;
}
void array_mapped_to(double *out)
{
    double a[N];
#pragma omp target teams distribute parallel for map(to: a)
    for (int i = 0; i < N; ++i)
        a[i] = i; // rex-expect: lost-result
    for (int i = 0; i < N; ++i)
        out[i] = a[i];
}
void section_mapped_to(void)
{
    double *a = malloc(N * sizeof *a);
#pragma omp target teams distribute parallel for map(to: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] = i; // rex-expect: lost-result
    for (int i = 0; i < N; ++i)
        printf("%f\n", a[i]);
    free(a);
}
void released(void)
{
    double *a = malloc(N * sizeof *a);
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = i; // rex-expect: lost-result
#pragma omp target exit data map(release: a[0:N])
    printf("%f\n", a[0]);
    free(a);
}
void deleted(void)
{
    int n = 0;
#pragma omp target enter data map(to: n)
#pragma omp target map(tofrom: n)
    n = 4; // rex-expect: lost-result
#pragma omp target exit data map(delete: n)
    printf("%d\n", n);
}
int by_clause(void)
{
    int n = 0;
#pragma omp target firstprivate(n)
    n = 5; // rex-expect: lost-result (likely)
    return n;
}
int private_copy(void)
{
    int n = 0;
#pragma omp target private(n)
    n = 5; // rex-expect: lost-result (likely)
    return n;
}
int in_data(void)
{
    int n = 0;
#pragma omp target data map(to: n)
    {
#pragma omp target map(tofrom: n)
        n = 3; // rex-expect: lost-result
    }
    return n;
}
int member(void)
{
    pair p = {1, 2};
#pragma omp target map(to: p)
    p.b = 7; // rex-expect: lost-result
    return p.b;
}
void half(void)
{
    int *c = malloc(N * sizeof *c);
#pragma omp target enter data map(alloc: c[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        c[i] = i; // rex-expect: lost-result
#pragma omp target exit data map(from: c[0:N / 2])
    for (int i = 0; i < N; ++i)
        printf("%d\n", c[i]);
    free(c);
}
static void set(int *p)
{
#pragma omp target map(to: p[0:1])
    p[0] = 4; // rex-expect: lost-result
}
int in_another_function(void)
{
    int n = 0;
    set(&n);
    return n;
}
int tested_by_an_if(int *x)
{
    int bad = 0;
#pragma omp target map(to: x[0:N])
    bad |= x[0]; // rex-expect: lost-result
    if (bad)
        return 1;
    return 0;
}

void overwritten_by_an_update(int *out)
{
    int v[8] = {0};
#pragma omp target enter data map(to: v)
#pragma omp target
    v[3] = 4; // rex-expect: lost-result (likely)
#pragma omp target update to(v)
    out[0] = v[3];
#pragma omp target exit data map(release: v)
}

/* Right. */

int mapped_back(int *x)
{
    int found = 0;
#pragma omp target map(to: x[0:N]) map(tofrom: found)
    for (int i = 0; i < N; ++i)
        if (x[i] == 7)
            found = 1;
    return found;
}
int by_defaultmap(void)
{
    int n = 0;
#pragma omp target defaultmap(tofrom: scalar)
    n = 5;
    return n;
}
int by_reduction(void)
{
    int n = 0;
#pragma omp target teams distribute parallel for reduction(+: n)
    for (int i = 0; i < N; ++i)
        n += i;
    return n;
}
void temporary_of_the_region(double *x)
{
    int t = 0;
#pragma omp target map(tofrom: x[0:N])
    {
        t = 4;
        x[t] = 1;
    }
}
int written_before_it_is_read(void)
{
    int i;
#pragma omp target
    for (i = 0; i < N; ++i)
        ;
    for (i = 0; i < 3; ++i)
        ;
    return i;
}
void scratch(double *out)
{
    double t[N];
#pragma omp target map(alloc: t) map(tofrom: out[0:N])
    for (int i = 0; i < N; ++i) {
        t[i] = i;
        out[i] = t[i];
    }
}
int implicit_array(void)
{
    int a[N];
#pragma omp target
    a[3] = 5;
    return a[3];
}
void from(double *out)
{
    double a[N];
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; ++i)
        a[i] = i;
    for (int i = 0; i < N; ++i)
        out[i] = a[i];
}
int updated(void)
{
    int n = 0;
#pragma omp target data map(to: n)
    {
#pragma omp target map(tofrom: n)
        n = 3;
#pragma omp target update from(n)
    }
    return n;
}
int data_tofrom(void)
{
    int n = 0;
#pragma omp target data map(tofrom: n)
    {
#pragma omp target map(to: n)
        n = 3;
    }
    return n;
}
void copied_back(void)
{
    double *a = malloc(N * sizeof *a);
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target exit data map(from: a[0:N])
    printf("%f\n", a[0]);
    free(a);
}
int other_member(void)
{
    pair p = {1, 2};
#pragma omp target map(to: p)
    p.b = 7;
    return p.a;
}
int on_the_host(int wanted)
{
    int n = 0;
#pragma omp target if(wanted) map(tofrom: n)
    n = 4;
    return n;
}
void other_half(void)
{
    int *c = malloc(N * sizeof *c);
#pragma omp target enter data map(alloc: c[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        c[i] = i;
#pragma omp target exit data map(from: c[0:N / 2])
    for (int i = 0; i < N / 2; ++i)
        printf("%d\n", c[i]);
    free(c);
}
int maybe_written_by_others(void)
{
    extern void write_it(int *);
    int n = 0;
#pragma omp target
    n = 5;
    write_it(&n);
    return n;
}

/* Right: a condition keeps to what comes back. */
void inner_rows(void)
{
    double a[N], s = 0;
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target data map(tofrom: a[0:N - 1])
#pragma omp target map(alloc: a[0:N - 1])
    for (int i = 0; i < N; ++i)
        if (i < N - 1)
            a[i] = 2;
    for (int i = 0; i < N; ++i)
        s += a[i];
    a[0] = s;
}
