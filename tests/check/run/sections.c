/* Sections that are too short for what the device does, or longer than the memory that they are in. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32, LONG = 2000 };
static int table[8][16];
static char letters[N];
static double values[N];

/* ---- too short ---- */

static void last_row(void)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: table[0:7])
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 16; ++j)
            table[i][j] = i + j; // rex-expect: outside-section
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: table[0:7])
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 16; ++j)
            table[i][j] = i + j;
}

static void characters(int n)
{
#pragma omp target map(tofrom: letters[0:n])
    for (int i = 0; i <= n; ++i)
        letters[i] = 'a'; // rex-expect: outside-section
#pragma omp target map(tofrom: letters[0:n])
    for (int i = 0; i < n; ++i)
        letters[i] = 'a';
}

static double neighbour(void)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: values[0:N / 2]) reduction(+: sum)
    for (int i = 0; i < N / 2; ++i)
        sum += values[i + 1]; // rex-expect: outside-section
#pragma omp target teams distribute parallel for map(to: values[0:N / 2 + 1]) reduction(+: sum)
    for (int i = 0; i < N / 2; ++i)
        sum += values[i + 1];
    return sum;
}

static double neighbour_in_front(void)
{
    double sum = 0;
#pragma omp target teams distribute parallel for map(to: values[N / 2 : N / 2]) reduction(+: sum)
    for (int i = N / 2; i < N; ++i)
        sum += values[i - 1]; // rex-expect: outside-section
#pragma omp target teams distribute parallel for map(to: values[N / 2 - 1 : N / 2 + 1]) reduction(+: sum)
    for (int i = N / 2; i < N; ++i)
        sum += values[i - 1];
    return sum;
}

static void steps(int *a)
{
#pragma omp target map(tofrom: a[0:N - 4])
    for (int i = 0; i < N; i += 4)
        a[i] = i; // rex-expect: outside-section
#pragma omp target map(tofrom: a[0:N - 3])
    for (int i = 0; i < N; i += 4)
        a[i] = i;
}

struct pair {
    int first;
    double second;
};

static void structures(struct pair *p)
{
#pragma omp target map(tofrom: p[0:N - 1])
    for (int i = 0; i < N; ++i)
        p[i].second = i; // rex-expect: outside-section
#pragma omp target map(tofrom: p[0:N])
    for (int i = 0; i < N; ++i)
        p[i].second = i;
}

static void walk(int *a)
{
#pragma omp target map(tofrom: a[0:N / 2])
    for (int *p = a; p != a + N; ++p)
        *p = 1; // rex-expect: outside-section
#pragma omp target map(tofrom: a[0:N / 2])
    for (int *p = a; p != a + N / 2; ++p)
        *p = 1;
}

#pragma omp declare target
static void set(int *p, int n)
{
    p[n] = n; // rex-expect: outside-section
}
static void put(int *p, int n)
{
    p[n] = n;
}
#pragma omp end declare target

static void by_function(int *a)
{
#pragma omp target map(tofrom: a[0:N / 2])
    set(a, N / 2);
#pragma omp target map(tofrom: a[0:N / 2])
    put(a, N / 2 - 1);
}

static void device_memory(void)
{
    int *p = omp_target_alloc(N * sizeof(int), omp_get_default_device());
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i <= N; ++i)
        p[i] = i; // rex-expect: outside-section
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i;
    omp_target_free(p, omp_get_default_device());
}

struct vector {
    int n;
    int *x;
};

static void member(struct vector *v)
{
#pragma omp target map(to: v[0:1]) map(tofrom: v->x[0:v->n - 2])
    for (int i = 0; i < v->n - 1; ++i)
        v->x[i] = i; // rex-expect: outside-section
#pragma omp target map(to: v[0:1]) map(tofrom: v->x[0:v->n])
    for (int i = 0; i < v->n; ++i)
        v->x[i] = i;
}

static void atomically(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:4])
    for (int i = 0; i < N; ++i) {
#pragma omp atomic // rex-expect: outside-section
        a[i % 5] += 1;
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:5])
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        a[i % 5] += 1;
    }
}

static void in_a_region_of_data(int *a)
{
#pragma omp target enter data map(to: a[0:N / 2])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = i; // rex-expect: outside-section
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N / 2; ++i)
        a[i] = i;
#pragma omp target exit data map(from: a[0:N / 2])
}

static int indirect(const int *a)
{
    int sum = 0, index[4] = {0, 1, 2, 8};
#pragma omp target map(to: a[0:8], index) map(tofrom: sum)
    for (int i = 0; i < 4; ++i)
        sum += a[index[i]]; // rex-expect: outside-section
    index[3] = 7;
#pragma omp target map(to: a[0:8], index) map(tofrom: sum)
    for (int i = 0; i < 4; ++i)
        sum += a[index[i]];
    return sum;
}

/* ---- too long ---- */

static int *some(int n)
{
    int *p = malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i)
        p[i] = i;
    return p;
}

static void to(int *p)
{
#pragma omp target map(to: p[0:N + 1]) // rex-expect: section-too-long
    p[0] = 1;
#pragma omp target map(to: p[0:N])
    p[0] = 1;
}

static void only_room(int *p)
{
#pragma omp target map(alloc: p[0:N + 2]) // rex-expect: section-too-long
    p[0] = 1;
#pragma omp target map(alloc: p[0:N])
    p[0] = 1;
}

static void from_the_middle(int *p)
{
#pragma omp target map(tofrom: p[N / 2 : N / 2 + 1]) // rex-expect: section-too-long
    p[N / 2] = 1;
#pragma omp target map(tofrom: p[N / 2 : N / 2])
    p[N / 2] = 1;
}

static void enter(int *p)
{
#pragma omp target enter data map(to: p[0:2 * N]) // rex-expect: section-too-long
#pragma omp target exit data map(delete: p[0:2 * N])
#pragma omp target enter data map(to: p[0:N])
#pragma omp target exit data map(delete: p[0:N])
}

static void data_region(int *p)
{
#pragma omp target data map(tofrom: p[0:N + 3]) // rex-expect: section-too-long
#pragma omp target
    p[0] = 1;
#pragma omp target data map(tofrom: p[0:N])
#pragma omp target
    p[0] = 1;
}

static void other_types(void)
{
    char *c = calloc(10, 1);
    double *d = calloc(10, sizeof(*d));
    short(*m)[8] = calloc(4, sizeof(*m));
    struct pair *s = calloc(3, sizeof(*s));
#pragma omp target map(tofrom: c[0:11]) // rex-expect: section-too-long
    c[0] = 1;
#pragma omp target map(tofrom: d[0:11]) // rex-expect: section-too-long
    d[0] = 1;
#pragma omp target map(tofrom: m[0:5]) // rex-expect: section-too-long
    m[0][0] = 1;
#pragma omp target map(tofrom: s[1:3]) // rex-expect: section-too-long
    s[1].first = 1;
#pragma omp target map(tofrom: c[0:10], d[0:10], m[0:4], s[1:2])
    c[0] = d[0] = m[0][0] = s[1].first = 1;
    free(c);
    free(d);
    free(m);
    free(s);
}

static void other_allocations(void)
{
    int *r = realloc(some(N), 2 * N * sizeof(int)), *a = aligned_alloc(64, 64 * 4), *p;
    if (posix_memalign((void **)&p, 64, 40))
        return;
#pragma omp target map(alloc: r[0:2 * N + 1]) // rex-expect: section-too-long
    r[0] = 1;
#pragma omp target map(alloc: a[0:65]) // rex-expect: section-too-long
    a[0] = 1;
#pragma omp target map(alloc: p[0:11]) // rex-expect: section-too-long
    p[0] = 1;
#pragma omp target map(alloc: r[0:2 * N], a[0:64], p[0:10])
    r[0] = a[0] = p[0] = 1;
    free(r);
    free(a);
    free(p);
}

static int bytes[2 * N];
static struct {
    int first[N], second[N];
} beside;

static void of_variables(int begin)
{
    static int own[N];
#pragma omp target map(tofrom: bytes[begin:2 * N]) // rex-expect: section-too-long
    bytes[begin] = 1;
#pragma omp target map(tofrom: own[begin:N]) // rex-expect: section-too-long
    own[begin] = 1;
#pragma omp target map(tofrom: bytes[begin:2 * N - begin], own[begin:N - begin], beside)
    bytes[begin] = own[begin] = beside.second[0] = 1;
#pragma omp target map(tofrom: beside.second[begin:N]) // rex-expect: section-too-long
    beside.second[begin] = 1;
}

static void of_a_member(struct vector *v)
{
#pragma omp target map(to: v[0:1]) map(tofrom: v->x[0:v->n + 1]) // rex-expect: section-too-long
    v->x[0] = 1;
#pragma omp target map(to: v[0:1]) map(tofrom: v->x[0:v->n])
    v->x[0] = 1;
}

static void loops(int *p)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:N + 1]) // rex-expect: section-too-long
    for (int i = 0; i < N; ++i)
        p[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: p[0:N])
    for (int i = 0; i < N; ++i)
        p[i] = i;
}

static void long_one(void)
{
    int *p = some(LONG);
#pragma omp target map(tofrom: p[0:LONG * sizeof(int)]) // rex-expect: section-too-long
    p[0] = 1;
#pragma omp target map(tofrom: p[0:LONG])
    p[0] = 1;
    free(p);
}

static void every_second(double *of, int n)
{
#pragma omp target data map(to: of[0:n])
    {
#pragma omp target update to(of[1 : n / 2 : 2])
#pragma omp target update to(of[1 : n / 2 + 1 : 2]) // rex-expect: section-too-long
    }
}

int main(void)
{
    every_second(values, N);
    int *a = some(N), *b = some(N);
    struct pair *p = calloc(N, sizeof(*p));
    struct vector v = {N, b};
    last_row();
    characters(9);
    double sum = neighbour() + neighbour_in_front() + indirect(a);
    steps(a);
    structures(p);
    walk(a);
    by_function(a);
    device_memory();
    member(&v);
    atomically(a);
    in_a_region_of_data(a);
    to(a);
    only_room(a);
    from_the_middle(a);
    enter(a);
    data_region(a);
    other_types();
    other_allocations();
    of_variables(2);
    of_a_member(&v);
    loops(a);
    long_one();
    printf("%d\n", sum > 0);
    free(a);
    free(b);
    free(p);
    return 0;
}
