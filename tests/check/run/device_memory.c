/* Memory of omp_target_alloc, associated memory, device pointers, declare target, mappers, parts of what is mapped, reductions,
 * atomics of all sizes, and graphs of dependences. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 64 };
static double seen;

static void allocated(void)
{
    int d = omp_get_default_device(), h = omp_get_initial_device();
    double *p = omp_target_alloc(N * sizeof *p, d), a[N];
    for (int i = 0; i < N; ++i)
        a[i] = i;
    omp_target_memcpy(p, a, sizeof a, 0, 0, d, h);
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] *= 2;
    omp_target_memcpy(a, p, sizeof a, 0, 0, h, d);
    seen += a[3];
    omp_target_free(p, d);
    p = omp_target_alloc(N * sizeof *p, d);
    omp_target_memcpy(p, a, N / 2 * sizeof *a, 0, 0, d, h);
#pragma omp target is_device_ptr(p) map(tofrom: seen)
    seen += p[N / 2 - 1];
#pragma omp target is_device_ptr(p) map(tofrom: seen)
    seen += p[N / 2]; // rex-expect: uninitialised-read
#pragma omp target is_device_ptr(p)
    p[N] = 1; // rex-expect: outside-section
    omp_target_free(p, d);
#pragma omp target is_device_ptr(p)
    p[1] = 1; // rex-expect: released-access
}

/* Addresses of the other side in calls that copy. */
static void wrong_sides(void)
{
    int d = omp_get_default_device(), h = omp_get_initial_device();
    double *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
    static double c[N];
#pragma omp target data map(to: a[0:N])
    {
        omp_target_memcpy(b, a, N * sizeof *a, 0, 0, h, d); // rex-expect: unmapped-access
        omp_target_memcpy(c, a, N * sizeof *a, 0, 0, d, h); // rex-expect: unmapped-access
        omp_target_memcpy(b, a, N * sizeof *a, 0, 0, h, h);
#pragma omp target data use_device_ptr(a)
        {
            omp_target_memcpy(b, a, N * sizeof *a, 0, 0, h, h); // rex-expect: device-memory-on-host
            omp_target_memcpy(b, a, N * sizeof *a, 0, 0, h, d);
        }
    }
    seen += b[1];
    free(a);
    free(b);
}

static void associated(void)
{
    int d = omp_get_default_device();
    static int a[N], b[N];
    int *p = omp_target_alloc(sizeof a, d), *q = omp_target_alloc(sizeof b, d);
    omp_target_associate_ptr(a, p, sizeof a, 0, d);
    omp_target_associate_ptr(b, q, sizeof b, 0, d);
    for (int i = 0; i < N; ++i)
        a[i] = i, b[i] = i;
#pragma omp target update to(a)
#pragma omp target map(tofrom: a)
    a[3] += 1;
#pragma omp target update from(a)
    seen += a[3];
#pragma omp target map(tofrom: b)
    b[3] += 1; // rex-expect: stale-read-on-device
    seen += b[3]; // rex-expect: stale-read-on-host
    omp_target_disassociate_ptr(a, d);
    omp_target_disassociate_ptr(b, d);
    omp_target_free(p, d);
    omp_target_free(q, d);
}

#pragma omp declare target
static int table[N];
static int limit = 3;
static double scale(double x) { return x * limit; }
#pragma omp end declare target

static void globals(void)
{
    double s = 0;
    for (int i = 0; i < N; ++i)
        table[i] = i;
#pragma omp target update to(table)
#pragma omp target map(tofrom: s)
    s += scale(table[3]);
    table[4] = 40;
#pragma omp target map(tofrom: s)
    s += table[4]; // rex-expect: stale-read-on-device
    limit = 4;
#pragma omp target update to(limit)
#pragma omp target map(tofrom: s)
    {
        s += scale(1);
        table[5] = 1;
    }
    seen += s + table[5]; // rex-expect: stale-read-on-host
#pragma omp target update from(table)
    seen += table[5];
}

struct vec { int n; double *x; };
#pragma omp declare mapper(struct vec v) map(v.n, v.x) map(v.x[0:v.n])
#pragma omp declare mapper(in: struct vec v) map(to: v.n, v.x) map(to: v.x[0:v.n])
static void mappers(void)
{
    struct vec v = {N, malloc(N * sizeof(double))}, w = {N, malloc(N * sizeof(double))};
    for (int i = 0; i < N; ++i)
        v.x[i] = w.x[i] = i;
#pragma omp target map(tofrom: v)
    for (int i = 0; i < v.n; ++i)
        v.x[i] += 1;
    seen += v.x[3];
#pragma omp target map(mapper(in), to: w)
    for (int i = 0; i < w.n; ++i)
        w.x[i] += 1;
    seen += w.x[3]; // rex-expect: dropped-result
    free(v.x);
    free(w.x);
}

static void nested(void)
{
    static double a[N], b[N];
    for (int i = 0; i < N; ++i)
        a[i] = b[i] = i;
#pragma omp target data map(tofrom: a)
    {
#pragma omp target data map(to: a[8:16])
        {
#pragma omp target map(tofrom: a[10:2])
            a[10] += 1;
        }
#pragma omp target update from(a[10:1])
        seen += a[10];
    }
    seen += a[11];
#pragma omp target data map(tofrom: b)
    {
#pragma omp target map(tofrom: b[10:2])
        b[10] += 1;
        seen += b[10]; // rex-expect: stale-read-on-host
    }
    seen += b[10];
#pragma omp target enter data map(to: b[0:32])
#pragma omp target enter data map(to: b[8:8])
#pragma omp target
    b[9] += 1;
#pragma omp target exit data map(from: b[8:8])
    seen += b[9]; // rex-expect: stale-read-on-host
#pragma omp target exit data map(from: b[0:32])
    seen += b[9];
}

static void reductions(void)
{
    double s = 0, m = 0, a[4] = {0};
    static double x[N];
    for (int i = 0; i < N; ++i)
        x[i] = i;
#pragma omp target teams distribute parallel for reduction(+: s, a) reduction(max: m) map(to: x)
    for (int i = 0; i < N; ++i) {
        s += x[i];
        a[i & 3] += x[i];
        m = m > x[i] ? m : x[i];
    }
    seen += s + m + a[1];
    double t = 0, c[4] = {0};
#pragma omp target teams distribute parallel for map(tofrom: c, t) map(to: x)
    for (int i = 0; i < N; ++i) {
        c[i & 3] += x[i]; // rex-expect: race
        if (x[i] > t)
            t = x[i]; // rex-expect: race
    }
    seen += t + c[1];
}

static void atomics(void)
{
    int8_t a = 0;
    int16_t b = 0;
    int32_t c = 0;
    int64_t d = 0;
    float e = 0;
    double f = 0, g = 0;
    int8_t flag = 0;
    int64_t other = 0;
#pragma omp target teams distribute parallel for map(tofrom: a, b, c, d, e, f, g, flag, other)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        a++;
#pragma omp atomic
        b += 2;
#pragma omp atomic
        c |= i;
#pragma omp atomic
        d -= i;
#pragma omp atomic
        e += 1;
#pragma omp atomic
        f += 1;
        double old;
#pragma omp atomic capture
        { old = g; g += 1; }
#pragma omp atomic write
        flag = 1;
        other += flag; // rex-expect: race
    }
    seen += a + b + c + d + e + f + g + flag + other;
}

static void graph(void)
{
    static int a[N], b[N], c[N];
#pragma omp target nowait map(tofrom: a) depend(out: a)
    a[0] += 1;
#pragma omp target nowait map(tofrom: b) depend(out: b)
    b[0] += 1;
#pragma omp target nowait map(to: a, b) map(from: c) depend(in: a, b) depend(out: c)
    for (int i = 0; i < N; ++i)
        c[i] = a[i] + b[i];
#pragma omp taskwait depend(in: c)
    seen += c[0];
#pragma omp taskwait
    seen += a[0] + b[0];
    static int d[N], e[N];
#pragma omp target data map(tofrom: d, e)
    {
#pragma omp target nowait depend(out: d)
        d[0] += 1;
#pragma omp target nowait depend(out: e)
        e[0] = d[0]; // rex-expect: race
#pragma omp taskwait
    }
    seen += d[0] + e[0];
}

static void pointers(void)
{
    static double a[N];
    double *p = a;
#pragma omp target data map(tofrom: a) use_device_addr(a)
    {
        double *q = a;
#pragma omp target is_device_ptr(q)
        q[3] = 1;
    }
    seen += a[3];
#pragma omp target data map(tofrom: p[0:N]) use_device_ptr(p)
    {
#pragma omp target has_device_addr(p[0:N])
        p[4] = 2;
        seen += p[4]; // rex-expect: device-memory-on-host
    }
    seen += p[4];
    double *q = malloc(N * sizeof *q);
    uintptr_t bits = (uintptr_t)q;
#pragma omp target
    {
        double *r = (double *)bits;
        r[1] = 1; // rex-expect: unmapped-access
    }
    free(q);
}

int main(void)
{
    allocated();
    wrong_sides();
    associated();
    globals();
    mappers();
    nested();
    reductions();
    atomics();
    graph();
    pointers();
    printf("%g\n", seen);
    return 0;
}
