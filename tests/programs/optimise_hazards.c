// cflags: -std=gnu11
/* What an optimiser must not take for granted: indices changed through addresses, memory reached through integers and
   mapped pointers, bounds that are not always read, loops between the labels of a switch, packed members. */
#include <stdio.h>

#define N 40

#pragma omp declare target
static int at(long address, int i)
{
    return ((int *)address)[i];
}
#pragma omp end declare target

static int b[N + 3], x[N], y[N];

static unsigned hash(const int *v)
{
    unsigned sum = 7;
    for (int i = 0; i < N; ++i)
        sum = sum * 31u + (unsigned)v[i];
    return sum;
}

/* The subscripts of the bounds change through pointers. */
static void indices(int n, const int *b, int *y)
{
#pragma omp target teams distribute parallel for map(to: b[0:n + 3]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) {
        int m = 0, *p = &m, more[3] = {0, 1, 2}, *q = more;
        y[i] = 0;
        for (int k = 0; k < b[m]; ++k) {
            *p = k % 3;
            y[i] += k + 1;
        }
        for (int k = 0; k < b[more[1]]; ++k) {
            q[1] = k % 3;
            y[i] += k + 1;
        }
    }
}

/* Bounds behind the end of the array, where nothing reads them. */
static void guarded(int n, const int *b, int *y, int far)
{
#pragma omp target teams distribute parallel for map(to: b[0:n + 3]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        if (far < n)
            for (int k = 0; k < b[i + far]; ++k)
                y[i] += k;
        for (int k = 0; far < n && k < b[i + far]; ++k)
            y[i] += k;
        for (int k = 0; k < (far < n ? b[i + far] : 2); ++k)
            y[i] += k;
        for (int k = 0; ({ int r = 0; if (far < n) r = b[i + far]; k < 2 + r; }); ++k)
            y[i] += k;
    }
}

/* Loops in, across and beside the cases of a switch. */
static void cases(int n, const int *b, int *y)
{
#pragma omp target teams distribute parallel for map(to: b[0:n + 3]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = 1;
        switch (i % 4) {
        case 1:
            for (int k = 0; k < b[i + 1]; ++k)
                y[i] ^= k;
            break;
        default:
            while (y[i] < b[i]) {
                y[i] += 2;
            case 2:
                y[i] += 1;
            }
        }
    }
}

/* Memory of one variable, reached through an integer or a pointer in another. */
static void elsewhere(int n, int *x, int *y)
{
    long address = 0;
    int *p = 0;
#pragma omp target data map(tofrom: x[0:n], y[0:n])
    {
#pragma omp target map(from: address, p) map(x[0:n], y[0:n])
        {
            address = (long)x;
            p = y;
        }
#pragma omp target teams distribute parallel for map(tofrom: x[0:n], y[0:n]) map(to: address)
        for (int i = 0; i < n; ++i) {
            y[i] = 0;
            for (int k = 0; k < x[i]; ++k) {
                y[i] += k;
                ((int *)address)[i] -= 1;
            }
        }
#pragma omp target teams distribute parallel for map(tofrom: x[0:n], y[0:n]) firstprivate(address)
        for (int i = 0; i < n; ++i) {
            x[i] = y[i] + 3;
            for (int k = 0; k < 3; ++k)
                x[i] += at(address, i);
        }
#pragma omp target teams distribute parallel for map(to: p) map(tofrom: y[0:n])
        for (int i = 0; i < n; ++i) {
            y[i] = 1;
            for (int k = 0; k < 3; ++k) {
                y[i] += k;
                p[i] *= 2;
            }
        }
    }
}

struct __attribute__((packed)) record {
    char c;
    int v;
    double d;
};

static void packed(int n, const struct record *r, int *y)
{
#pragma omp target teams distribute parallel for map(to: r[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        y[i] += r[i].v + (int)r[i].d;
    }
}

int main(void)
{
    struct record r[N];
    for (int i = 0; i < N; ++i) {
        x[i] = i * 3 % 11;
        b[i] = i * 5 % 7 + 2;
        r[i].v = i;
        r[i].d = i * 2.5;
    }
    indices(N, b, y);
    printf("indices %u\n", hash(y));
    guarded(N, b, y, 1000000000);
    printf("guarded %u\n", hash(y));
    cases(N, b, y);
    printf("cases %u\n", hash(y));
    elsewhere(N, x, y);
    printf("elsewhere %u %u\n", hash(x), hash(y));
    packed(N, r, y);
    printf("packed %u\n", hash(y));
    return 0;
}
