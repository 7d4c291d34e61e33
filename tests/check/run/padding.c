/* Copies of structures read padding, which is never set. What is unset and no padding is found. */
#include <stdlib.h>
#include <string.h>

enum { N = 32 };
struct small { char c; int i; };
struct wide { int n; double d; char end; };
struct large { char c __attribute__((aligned(32))); double d[12]; char end; };

static void right(struct small *s, struct wide *w, struct large *l)
{
    struct small one;
    struct wide other;
    struct large third;
    double sum = 0;
#pragma omp target teams distribute parallel for map(from: s[0:N], w[0:N], l[0:N])
    for (int i = 0; i < N; ++i) {
        s[i].c = 'a', s[i].i = i;
        w[i].n = i, w[i].d = i, w[i].end = 'b';
        l[i].c = 'c', l[i].end = 'd';
        for (int k = 0; k < 12; ++k)
            l[i].d[k] = k;
    }
#pragma omp target teams distribute parallel for map(to: s[0:N], w[0:N], l[0:N]) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        struct small here = s[i];
        struct wide there = w[i];
        struct large third = l[i];
        sum += here.i + there.d + third.d[i % 12];
    }
    for (int i = 0; i < N; ++i) {
        one = s[i];
        other = w[i];
        memcpy(&third, &l[i], sizeof(third));
        sum += one.i + other.d + third.d[1];
    }
    if (sum < 0)
        abort();
}

static void right_on_the_device(void)
{
    struct wide a[N], b[N];
#pragma omp target data map(alloc: a) map(from: b)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) {
            a[i].n = i, a[i].d = i, a[i].end = 'b';
            b[i] = a[i];
        }
    }
    if (b[3].n != 3)
        abort();
}

static void nothing_of_it(void)
{
    struct wide a[N], b[N];
#pragma omp target data map(alloc: a) map(from: b)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            b[i] = a[i]; // rex-expect: uninitialised-read
    }
}

static void a_member(void)
{
    struct wide a[N], b[N];
#pragma omp target map(from: a, b)
    for (int i = 0; i < N; ++i) {
        a[i].n = i;
        b[i].n = a[i].n;
        b[i].d = a[i].d; // rex-expect: uninitialised-read
    }
}

static void half_an_array(int *sums)
{
    int a[N], b[N];
#pragma omp target map(from: a)
    for (int i = 0; i < N / 2; ++i)
        a[i] = i;
    memcpy(b, a, (size_t)sums[0]); // rex-expect: uninitialised-read
    sums[0] = b[0];
}

int main(void)
{
    static struct small s[N];
    static struct wide w[N];
    struct large *l = aligned_alloc(32, N * sizeof(*l));
    int sums[1] = {N * sizeof(int)};
    right(s, w, l);
    right_on_the_device();
    nothing_of_it();
    a_member();
    half_an_array(sums);
    free(l);
    return 0;
}
