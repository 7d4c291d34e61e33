/* Wrong functions with the idioms of applications. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 128
#define IDX(i, j) ((i) * nx + (j))
typedef struct { int n; double *x, *y; } field;
#pragma omp declare target
static double coefficient = 0.5;
static void add_to(double *s, double v) { *s += v; } // rex-expect: reduction
#pragma omp end declare target

double w1(int nx, int ny, double *u, double *v)
{
    double err = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to: u[0:nx * ny]) map(from: v[0:nx * ny])
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j) {
            v[i * ny + j] = u[i * ny + j];
            err = fmax(err, fabs(u[i * ny + j])); // rex-expect: lost-result // rex-expect: race
        }
    return err;
}
void w2(field *f)
{
#pragma omp target enter data map(to: f[0:1])
#pragma omp target enter data map(to: f->x[0:f->n])
    f->n = 3;
#pragma omp target map(from: f->y[0:4])
    f->y[0] = f->n; // rex-expect: stale (likely)
#pragma omp target exit data map(release: f->x[0:3])
#pragma omp target exit data map(release: f[0:1])
}
double w3(const double *x, int n)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i)
        add_to(&s, x[i]);
    return s;
}
void w4(double *x, int n)
{
#pragma omp target enter data map(to: x[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) x[i] *= 2;
    printf("%g\n", x[0]); // rex-expect: stale (likely)
#pragma omp target exit data map(from: x[0:n])
}
void w5(int n)
{
    double *x = malloc(n * sizeof *x);
    memset(x, 0, n * sizeof *x);
#pragma omp target enter data map(to: x[0:n]) // rex-expect: leak
    free(x);
}
int w7(int n, int *x)
{
    int total;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: total) reduction(+: total)
    for (int i = 0; i < n; ++i) total += x[i]; // rex-expect: unset
    return total;
}
void w9(double *a, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < m; ++j)
            a[i * m + j] += a[(i + 1) * m + j]; // rex-expect: bounds (likely) // rex-expect: dependence
}
int w10(int n)
{
    int *x = malloc(n * sizeof *x);
    int sum = 0;
#pragma omp target teams distribute parallel for map(alloc: x[0:n])
    for (int i = 0; i < n; ++i) x[i] = i; // rex-expect: lost-result
    for (int i = 0; i < n; ++i) sum += x[i];
    free(x);
    return sum;
}
void w11(double *x, int n)
{
#pragma omp target data map(tofrom: x[0:n])
    {
        for (int k = 0; k < 3; ++k) {
            x[k] = 1;
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; ++i) x[i] += 1; // rex-expect: stale (likely)
        }
    }
}
void w12(int n)
{
    char *buffer = malloc(n);
#pragma omp target teams distribute parallel for map(from: buffer[0:n])
    for (int i = 0; i < n * 2; ++i) // twice too far
        buffer[i] = 1; // rex-expect: bounds (likely)
    free(buffer);
}
int w13(void)
{
    int flags[N];
    memset(flags, 0, sizeof flags);
#pragma omp target teams distribute parallel for map(from: flags)
    for (int i = 0; i < N; ++i)
        if (flags[i] == 0) flags[i] = i; // rex-expect: unset (likely)
    return flags[1];
}
void w14(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[0] = x[0] > x[i] ? x[0] : x[i]; // rex-expect: race
}
double w15(int n)
{
    double *p = calloc(n, sizeof *p), *q = p + 1, r = 0;
#pragma omp target map(tofrom: r)
    r = q[0]; // rex-expect: unmapped-pointer
    free(p);
    return r;
}
void w16(double *x, double *y, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n]) nowait
    for (int i = 0; i < n; ++i) y[i] = x[i];
#pragma omp target teams distribute parallel for map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) y[i] += 1; // rex-expect: nowait (likely)
#pragma omp taskwait
}
void w17(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) nowait
    for (int i = 0; i < n; ++i) x[i] += 1;
    memset(x, 0, n * sizeof *x); // rex-expect: nowait (likely)
#pragma omp taskwait
}
int w18(const int *x, int n)
{
    int best = 0, at = -1;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(max: best) map(tofrom: at)
    for (int i = 0; i < n; ++i)
        if (x[i] > best) {
            best = x[i];
            at = i; // rex-expect: race (likely)
        }
    return at;
}
void w19(int n)
{
    int *x = omp_target_alloc(n * sizeof *x, omp_get_default_device());
    for (int i = 0; i < n; ++i) x[i] = i; // rex-expect: device-pointer
    omp_target_free(x, omp_get_default_device());
}
void w20(field f)
{
#pragma omp target teams distribute parallel for map(tofrom: f.x[0:f.n])
    for (int i = 0; i < f.n; ++i) f.x[i] = f.n; // rex-expect: partial-map
}
void w21(void)
{
    double local[N];
    for (int i = 0; i < N; ++i) local[i] = i;
#pragma omp target enter data map(to: local) // rex-expect: leak
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i) local[i] += 1;
#pragma omp target update from(local)
    printf("%g\n", local[0]);
}
void w22(double *a, double *b, int n)
{
    int i;
    double t;
#pragma omp target teams map(tofrom: a[0:n], b[0:n])
#pragma omp distribute parallel for
    for (i = 0; i < n; ++i) {
        t = a[i]; // rex-expect: race
        a[i] = b[i];
        b[i] = t;
    }
}
int w23(int n, const int *x)
{
    int count = 0;
#pragma omp target parallel map(to: x[0:n]) map(tofrom: count)
    {
#pragma omp for
        for (int i = 0; i < n; ++i)
            if (x[i]) count = count + 1; // rex-expect: reduction (likely)
    }
    return count;
}
void w24(double *x, int n)
{
#pragma omp target enter data map(to: x[0:n])
#pragma omp target exit data map(delete: x[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i) x[i] = 0; // rex-expect: unmapped-pointer (likely)
}
double w25(double *x, int n)
{
    double first;
#pragma omp target data map(to: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) x[i] *= 2; // rex-expect: lost-result (likely)
    }
    first = x[0];
    return first;
}
void w27(int *x)
{
#pragma omp target parallel num_threads(64) map(tofrom: x[0:64])
    {
        int me = omp_get_thread_num();
        if (me < 32) {
            x[me] = me;
#pragma omp barrier // rex-expect: barrier (likely)
        }
    }
}
int w28(int n)
{
    int result = 0;
#pragma omp target data map(to: result)
    {
#pragma omp target
        result = n; // rex-expect: lost-result
    }
    return result;
}
void w29(double *sum, const double *x, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: sum[0:1])
    for (int i = 0; i < n; ++i)
        *sum += x[i]; // rex-expect: reduction
}
void w30(double *x, int n)
{
    double old = 0;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n]) map(to: old)
    for (int i = 0; i < n; ++i) {
        x[i] += old;
        old = x[i]; // rex-expect: race
    }
}
/* A constructor function gives memory with memory in it, and other functions map and use it. */
static field *new_field(int n)
{
    field *f = malloc(sizeof *f);
    f->n = n;
    f->x = malloc(100 * sizeof *f->x);
    for (int i = 0; i < 100; ++i) f->x[i] = i;
    return f;
}
static void field_to_device(field *f)
{
#pragma omp target enter data map(to: f[0:1])
#pragma omp target enter data map(to: f->x[0:100])
}
static void twice(field *f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; ++i) f->x[i] *= 2;
}
double w31(void)
{
    field *f = new_field(100);
    field_to_device(f);
    twice(f);
    double s = f->x[55]; // rex-expect: stale
#pragma omp target exit data map(from: f->x[0:100])
#pragma omp target exit data map(release: f[0:1])
    free(f->x);
    free(f);
    return s;
}
/* Another function releases what it has entered itself, under the same name. */
int w32(int fail)
{
    double *t = malloc(50 * sizeof *t);
#pragma omp target enter data map(alloc: t[0:50]) // rex-expect: leak (likely)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; ++i) t[i] = 2;
    if (fail) return -1;
#pragma omp target exit data map(from: t[0:50])
    free(t);
    return 0;
}
double w32_other(void)
{
    double *t = malloc(50 * sizeof *t), first;
#pragma omp target enter data map(alloc: t[0:50])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 50; ++i) t[i] = 2;
#pragma omp target exit data map(from: t[0:50])
    first = t[0];
    free(t);
    return first;
}
/* The host writes elements while the device has newer ones, and a copy of all replaces what it has written. */
typedef struct { int first, second; } wpair;
int w33(wpair *p)
{
#pragma omp target data map(tofrom: p[0:N])
    {
#pragma omp target
        p[0].first = 1;
        p[2].second = 4;
        p[3].first += 1;
    }
    return p[2].second // rex-expect: stale (likely)
           + p[3].first; // rex-expect: stale (likely)
}
int w34(void)
{
    int a[N] = {0}, b[N] = {0};
#pragma omp target enter data map(to: a, b)
    a[11] = 110;
#pragma omp target map(always, from: a)
    a[0] = 3;
    int s = a[11]; // rex-expect: stale
    b[1] = 1;
    b[2] = 2;
#pragma omp target
    b[3] = 3;
#pragma omp target update from(b)
    s += b[1]; // rex-expect: stale
    s += b[2]; // rex-expect: stale
#pragma omp target exit data map(delete: a, b)
    return s;
}
/* Members of elements are bytes like all others. */
void w35(wpair *p)
{
#pragma omp target map(tofrom: p[0:N - 1])
    for (int i = 0; i < N; ++i)
        p[i].second = i; // rex-expect: bounds (likely)
}
int w36(void)
{
    wpair p[N];
    int s = 0;
#pragma omp target data map(alloc: p)
    {
#pragma omp target
        p[3].first = 1;
#pragma omp target map(tofrom: s)
        s += p[3].first
             + p[3].second; // rex-expect: unset
    }
    return s;
}

/* A condition keeps the accesses of two iterations apart only if it holds, and for its numbers. */
void neighbours_too_near(double *row)
{
    enum { WIDTH = 128, HALO = 3 };
#pragma omp target teams distribute parallel for map(tofrom: row[0:WIDTH + 2 * HALO])
    for (int j = 0; j < WIDTH; ++j) {
        row[j + HALO] = j; // rex-expect: dependence (likely)
        if (j <= HALO)
            row[j] = 2 * j;
    }
}

void neighbours_of_others(double *row)
{
    enum { WIDTH = 128, HALO = 3 };
#pragma omp target teams distribute parallel for map(tofrom: row[0:WIDTH + 2 * HALO])
    for (int j = 0; j < WIDTH; ++j) {
        row[j + HALO] = j; // rex-expect: dependence (likely)
        if (HALO > j)
            row[j + 1] = 0;
        else
            row[j] = 2 * j;
    }
}
