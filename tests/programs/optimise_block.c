/* plain target regions, which one thread runs: a block may share out loops whose iterations leave only integer sums behind */
#include "check.h"
#include <limits.h>
#include <string.h>
#define N 3000

static int a[N + 64], at[N], kept[N];
static unsigned b[N];
static long long sums[N];
static unsigned char table[N];

static void fill(void)
{
    for (int i = 0; i < N; ++i)
        a[i] = (i * 7919 + 13) % 2003 - 700, b[i] = (unsigned)i * 2654435761u, at[i] = kept[i] = 0, sums[i] = i, table[i] = 0;
}
static unsigned mixed(unsigned x)
{
    return x * 40503u ^ x >> 5;
}

/* the sums of a histogram, as an equalisation has them; the sums are negative at times */
static void levels(int n, int many, const int *counts, unsigned char *out)
{
#pragma omp target map(to: counts[0:n]) map(from: out[0:n])
    {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            sum += counts[i];
            out[i] = (unsigned char)((long long)sum * 255 / many);
        }
    }
}

/* sums, products, bits, extrema, some of them read; conditions; a sum that wraps around */
static void many(int n, const int *x, long long *out, int *low, unsigned *bits, unsigned *product, int *last)
{
    int least = INT_MAX;
#pragma omp target map(to: x[0:n]) map(tofrom: out[0:n], least) map(from: low[0:n], bits[0:1], product[0:1], last[0:1])
    {
        unsigned all = 5, p = 1;
        long long sum = -9;
        int place = 3, i;
        for (i = n - 1; i >= 0; --i) {
            const int v = x[i] * 3;
            if (v & 1) {
                sum -= v;
                if (v < least)
                    least = v;
            }
            all ^= mixed((unsigned)v);
            p *= (unsigned)v | 1u;
            out[i] += sum;
        }
        for (int k = 0; k < n; ++k) {
            low[k] = place;
            place = x[k] > place ? x[k] : place;
        }
        bits[0] = all, product[0] = p;
        last[0] = i + place;
    }
    CHECK(least < 0);
    last[0] += least;
}

/* a loop of one thread around others; what a loop writes, the next one reads elsewhere; the element that it reads is overwritten */
static int steps(int n, int times, int *x, unsigned *y)
{
    int moved = 0;
#pragma omp target map(tofrom: x[0:n], y[0:n], moved)
    for (int t = 0; t < times; ++t) {
        unsigned sum = (unsigned)t;
        for (int i = 0; i < n; ++i) {
            sum += y[i];
            y[i] = sum;
        }
        for (int i = 0; i < n; ++i)
            x[i] = (int)(y[n - 1 - i] >> 8) % 1000;
        if (x[t] > 300)
            moved += x[t + 1];
        else
            x[5] = moved;
        for (int i = 3; i < n; i += 7)
            moved += x[i] > 500;
    }
    return moved;
}

/* loops that must stay with one thread: a value of the iteration before, elements in between, sums that depend on sums */
static int serial(int n, int *x, int *out)
{
    int total = 0;
#pragma omp target map(tofrom: x[0:n + 64], out[0:n], total)
    {
        int s = 1, t = 0;
        for (int i = 0; i < n; ++i) {
            s = s * 5 % 1009 + x[i] % 3;
            out[i] += s;
        }
        for (int i = 0; i < n; ++i)
            x[i + 1] += x[i] % 5;
        for (int i = 0; i < n; ++i) {
            s += x[i] % 7;
            t += s & 3;
            x[i] = t;
        }
        total = s + t;
    }
    return total;
}

/* the arrays may be parts of one */
static void shifted(int n, int by)
{
    int *x = a, *y = a + by;
#pragma omp target map(tofrom: a)
    {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            sum += x[i] % 100;
            y[i] = sum;
        }
    }
}
static void apart(int n, const int *x, int *y)
{
#pragma omp target
    {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            sum += x[i] % 100;
            y[i] = sum;
        }
    }
}

static unsigned long digest(void)
{
    unsigned long h = 0;
    for (int i = 0; i < N; ++i)
        h = h * 31 + (unsigned)a[i] + (unsigned)at[i] * 3 + (unsigned)kept[i] * 5 + b[i] * 7 + (unsigned long)sums[i] * 11 + table[i];
    return h;
}

int main(void)
{
    static const int sizes[] = {0, 1, 31, 33, 1000, 1024, 1025, 2900};
    for (int k = 0; k < 8; ++k) {
        const int n = sizes[k];
        fill();
        levels(n, n + 1, a, table);
        unsigned bits = 0, product = 0;
        int last = 0;
        if (n > 1)
            many(n, a, sums, kept, &bits, &product, &last);
        printf("%d: %u %u %d %lx\n", n, bits, product, last, digest());
        if (n > 30)
            printf("%d\n", steps(n, 4, kept, b));
        printf("%d\n", serial(n, a, at));
        shifted(n, 3);
#pragma omp target data map(tofrom: a, at)
        {
            apart(n, a, at);
            apart(n / 2, a, a + n / 2);
            apart(n / 2, a + 1, a);
        }
        printf("%lx\n", digest());
    }
    return check_failures;
}
