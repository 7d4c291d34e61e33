/* Regions that use memory by pointers of their own, and what conditions choose. */
#include <omp.h>
#include <stdlib.h>

#define N 100

double unmapped_rows(void)
{
    double *a = malloc(N * N * sizeof *a), s[N];
    for (int i = 0; i < N * N; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(from: s)
    for (int i = 0; i < N; i++) {
        const double *row = a + i * N;
        double t = 0;
        for (int j = 0; j < N; j++)
            t += row[j]; // rex-expect: unmapped-pointer
        s[i] = t;
    }
    free(a);
    return s[0];
}

void summed_by_pointers(int n, const double *a, double *h)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: h[0:N])
    for (int i = 0; i < n; i++) {
        double *q = h;
        q[0] += a[i]; // rex-expect: reduction
    }
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: h[0:n])
    for (int i = 0; i < n; i++) {
        double own[2] = {0, 0}, *q = own, *p = &h[i];
        q[0] += a[i];
        *p += q[0] + q[1];
    }
}

void rows_beside_each_other(double *g)
{
#pragma omp target teams distribute parallel for map(tofrom: g[0:N * N])
    for (int i = 1; i < N; i++) {
        double *row = g + i * N;
        const double *up = g + (i - 1) * N;
        for (int j = 0; j < N; j++)
            row[j] = up[j]; // rex-expect: dependence
    }
#pragma omp target teams distribute parallel for map(tofrom: g[0:N * N])
    for (int i = 1; i < N; i++) {
        double *row = g + i * N;
        for (int j = 1; j < N; j++)
            row[j] += row[j - 1];
    }
#pragma omp target teams distribute parallel for map(tofrom: g[0:N * N])
    for (int i = 1; i < N; i++) {
        double *p = g + i * N;
        for (int j = 0; j < N; j++)
            *p++ = j; /* it moves */
    }
}

#pragma omp declare target
static int hits;
static void note(int v)
{
    if (v % 3 == 0)
        hits++; // rex-expect: reduction (likely)
}
static void fill(int *bins, int v) { bins[v & 15]++; } // rex-expect: reduction (likely)
static void first(int v)
{
    if (v == 3)
        hits = v;
}
#pragma omp end declare target

void chosen(const int *v, int *bins)
{
#pragma omp target teams distribute parallel for map(to: v[0:N]) map(tofrom: bins[0:16])
    for (int i = 0; i < N; i++) {
        note(v[i]);
        fill(bins, v[i]);
    }
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        first(i);
}

void chosen_elements(const int *v, int *out, int *other, int *pair)
{
#pragma omp target teams distribute parallel for map(to: v[0:N]) map(from: out[0:N], other[0:N], pair[0:N])
    for (int i = 0; i < N; i++) {
        if (v[i] > 0)
            out[i] = 1; // rex-expect: unset (likely)
        if (i < N - 1)
            other[i] = v[i];
        if (v[i] > 0)
            pair[i] = 1;
        else
            pair[i] = 0;
    }
}

int least(const int *v)
{
    int min = v[0], max = v[0];
#pragma omp target teams distribute parallel for map(to: v[0:N]) map(tofrom: min)
    for (int i = 0; i < N; i++)
        if (min > v[i])
            min = v[i]; // rex-expect: race
#pragma omp target parallel for map(to: v[0:N]) map(tofrom: max)
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (max < v[i])
            max = v[i];
    }
    return min + max;
}

double filled_by_copies(const double *h, int device, int host)
{
    double *p = omp_target_alloc(N * sizeof *p, device), *q = omp_target_alloc(N * sizeof *q, device), s = 0;
    omp_target_memcpy(p, h, N, 0, 0, device, host);
    omp_target_memcpy(q, h, N * sizeof *q, 0, 0, device, host);
#pragma omp target teams distribute parallel for reduction(+: s) is_device_ptr(p, q)
    for (int i = 0; i < N; i++) {
        s += p[i]; // rex-expect: unset
        s += q[i];
    }
    omp_target_free(p, device);
    omp_target_free(q, device);
    return s;
}
