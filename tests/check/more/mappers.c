/* A unit with a mapper. What it maps is not in the directives, so of its type's variables only members are told that it
   forgets. Mistakes with all others are found as anywhere else. */
#include <stdlib.h>
#define N 100
typedef struct { double *x; int n; } vec;
typedef struct { vec *inner; } box;
typedef struct { int *a, n; } pair;
typedef struct { pair *of; } owner;
#pragma omp declare mapper(vec v) map(tofrom: v) map(tofrom: v.x[0:v.n])
#pragma omp declare mapper(owner o) map(tofrom: o.of[0:1])

double right_by_itself(int n)
{
    vec v = {calloc(n, sizeof(double)), n};
#pragma omp target map(tofrom: v)
    for (int i = 0; i < v.n; ++i)
        v.x[i] += i;
    double s = v.x[1];
    free(v.x);
    return s;
}
double right_by_another_name(int n)
{
    vec v;
    double *x = calloc(n, sizeof(double));
    v.x = x;
    v.n = n;
#pragma omp target enter data map(to: v)
#pragma omp target
    for (int i = 0; i < n; ++i)
        x[i] += 2;
    x[0] = 1;
#pragma omp target update to(v)
#pragma omp target
    x[1] = x[0];
#pragma omp target update from(v)
    double s = x[1];
#pragma omp target exit data map(release: v)
    free(x);
    return s;
}
double right_in_a_literal(void)
{
    double *x = calloc(N, sizeof(double));
    vec *p = &(vec){x, N};
#pragma omp target data map(tofrom: p[0:1])
    {
#pragma omp target
        x[3] = 1;
    }
    double s = x[3];
    free(x);
    return s;
}
static vec made(double *x, int n)
{
    vec v = {x, n};
    return v;
}
double right_from_a_function(void)
{
    double *x = malloc(N * sizeof(double));
    vec v = made(x, N);
#pragma omp target data map(from: v)
    {
#pragma omp target
        for (int i = 0; i < N; ++i)
            x[i] = i;
    }
    double s = x[3];
    free(x);
    return s;
}
double right_around(void)
{
    double *x = calloc(N, sizeof(double));
    vec v = {x, N};
    box b = {&v};
#pragma omp target data map(tofrom: b.inner[0:1])
    {
#pragma omp target
        x[5] = 1;
    }
    double s = x[5];
    free(x);
    return s;
}
int right_implicitly(void)
{
    double x[N] = {0};
    vec v = {x, N};
#pragma omp target
    v.x[1] = 1;
    return x[1] == 1;
}
void right_after_another(vec *p)
{
#pragma omp target enter data map(to: p->x[0:p->n])
#pragma omp target exit data map(release: p->x[0:p->n])
#pragma omp target map(tofrom: p[0:1])
    p->x[0] = 1;
}
void right_part(pair *p)
{
#pragma omp target map(tofrom: p->a[0:N])
    p->a[0] = p->n;
}
void right_whole(pair *p)
{
    owner o = {p};
#pragma omp target data map(tofrom: o)
    right_part(p);
}
int too_short(void)
{
    int a[10], s = 0;
    for (int i = 0; i < 10; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for map(to: a) reduction(+: s)
    for (int i = 0; i <= 10; ++i)
        s += a[i]; // rex-expect: bounds
    return s;
}
void not_mapped(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: unmapped-pointer
    free(x);
}
int lost(void)
{
    int a[N] = {0};
#pragma omp target map(to: a)
    a[1] = 1; // rex-expect: lost-result
    return a[1];
}
int old(void)
{
    int a[N] = {0}, s = 0;
#pragma omp target data map(to: a)
    {
        a[1] = 1;
#pragma omp target map(from: s)
        s = a[1]; // rex-expect: stale
    }
    return s;
}
int not_set(void)
{
    int a[N] = {0}, s = 0;
#pragma omp target map(alloc: a) map(from: s)
    s = a[1]; // rex-expect: unset
    return s;
}
int too_early(void)
{
    int a[N] = {0};
#pragma omp target nowait map(tofrom: a)
    a[1] = 1;
    int s = a[1]; // rex-expect: nowait
#pragma omp taskwait
    return s;
}
int part_of_another(void)
{
    struct { int *x, n; } s = {calloc(N, sizeof(int)), N};
#pragma omp target map(tofrom: s.x[0:N])
    s.x[0] = s.n; // rex-expect: partial-map
    int first = s.x[0];
    free(s.x);
    return first;
}
double part_of_it(void)
{
    vec v = {calloc(N, sizeof(double)), N};
#pragma omp target map(tofrom: v.x[0:N])
    v.x[0] = v.n; // rex-expect: partial-map
    double first = v.x[0];
    free(v.x);
    return first;
}
int beside_a_mapper(int n)
{
    vec v = {calloc(n, sizeof(double)), n};
    int s = 0;
#pragma omp target map(tofrom: v)
    {
        v.x[0] = 1;
        s = 1; // rex-expect: lost-result
    }
    free(v.x);
    return s;
}

typedef struct { int n; double *known, *forgotten; } mesh;
#pragma omp declare mapper(mesh m) map(tofrom: m) map(tofrom: m.known[0:m.n])
double forgotten_member(int n, double *a, double *b)
{
    mesh m = {n, a, b};
#pragma omp target teams distribute parallel for map(tofrom: m)
    for (int i = 0; i < m.n; ++i)
        m.known[i] += m.forgotten[i]; // rex-expect: unmapped-pointer (likely)
    return m.known[0];
}
