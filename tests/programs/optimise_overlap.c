// Kernels with a second body for ranges that are apart: equal, interleaved and touching ranges give what the plain one gives.
#include <stdio.h>
#include <string.h>

#define N 64

static void smooth(int n, const double *x, double *y, int m)
{
#pragma omp target teams distribute parallel for map(to: x[0:2 * n]) map(tofrom: y[0:2 * n])
    for (int i = 0; i < n; ++i) {
        y[2 * i] = 0;
        for (int j = 0; j < m; ++j)
            y[2 * i] += x[2 * i] + j;
    }
}

struct pair {
    double a, b;
};

static void fields(int n, const double *x, struct pair *p)
{
#pragma omp target teams distribute parallel for map(to: x[0:4]) map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i) {
        p[i].a = p[i].b = i;
        for (int j = 0; j < 4; ++j) {
            p[i].a += x[j];
            p[i].b -= x[j];
        }
    }
}

static double apply(int from, int to, int n)
{
    double data[4 * N], sum = 0;
    for (int i = 0; i < 4 * N; ++i)
        data[i] = i % 7 + 1;
#pragma omp target data map(tofrom: data)
    smooth(n, data + from, data + to, 3);
    for (int i = 0; i < 4 * N; ++i)
        sum += data[i] * (i + 1);
    return sum;
}

/* Sections that are apart, accesses that leave them: what the construct around has mapped is on the device as well. */
static void beyond(double *to, const double *from)
{
#pragma omp target teams distribute parallel for map(tofrom: to[0:4]) map(to: from[0:4])
    for (int i = 0; i < 1; ++i) {
        to[2 * N + i] = 0;
        for (int j = 0; j < 8; ++j)
            to[2 * N + i] += from[j];
    }
}

static double mapped_around(double *data, double *to, const double *from)
{
    double sum = 0;
    for (int i = 0; i < 4 * N; ++i)
        data[i] = i % 7 + 1;
#pragma omp target data map(tofrom: data[0:4 * N])
    beyond(to, from);
    for (int i = 0; i < 4 * N; ++i)
        sum += data[i] * (i + 1);
    return sum;
}

int main(void)
{
    double data[4 * N];
    struct pair p[N];
    double x[4] = {1, 2, 3, 4}, total = 0;
    printf("apart %g\n", apply(0, 2 * N, N));
    printf("equal %g\n", apply(0, 0, N));
    printf("interleaved %g %g\n", apply(0, 1, N), apply(3, 0, N));
    printf("touching %g %g\n", apply(0, 16, 8), apply(16, 0, 8));
    printf("beyond %g %g\n", mapped_around(data, data, data + 2 * N - 3), mapped_around(data, data, data + 3 * N));
    memset(p, 0, sizeof p);
    fields(N, x, p);
    for (int i = 0; i < N; ++i)
        total += p[i].a * (i + 1) - p[i].b;
    printf("fields %g\n", total);
    return 0;
}
