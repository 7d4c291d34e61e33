/* Addresses of one side that the other side follows. Each wrong region or access stands in front of its right form. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 32 };

static int *filled(void)
{
    int *a = malloc(N * sizeof(int));
    for (int i = 0; i < N; ++i)
        a[i] = i;
    return a;
}

/* ---- host memory on the device ---- */

static int rows(int *a, int *b)
{
    int *two[2] = {a, b}, sum = 0;
#pragma omp target map(to: two) map(tofrom: sum)
    sum += two[1][3]; // rex-expect: unmapped-access
#pragma omp target map(to: two, two[1][0:N]) map(tofrom: sum)
    sum += two[1][3];
    return sum;
}

static int one_row_of_two(int *a, int *b)
{
    int *two[2] = {a, b}, sum = 0;
#pragma omp target map(to: two, two[0][0:N]) map(tofrom: sum)
    sum += two[0][1] + two[1][3]; // rex-expect: unmapped-access
#pragma omp target map(to: two, two[0][0:N], two[1][0:N]) map(tofrom: sum)
    sum += two[0][1] + two[1][3];
    return sum;
}

struct node {
    int value;
    struct node *next;
};

static int next_of_list(struct node *n)
{
    int sum = 0;
#pragma omp target map(to: n[0:1]) map(tofrom: sum)
    sum += n->next->value; // rex-expect: unmapped-access
#pragma omp target map(to: n[0:1], n->next[0:1]) map(tofrom: sum)
    sum += n->next->value;
    return sum;
}

static int number(int *a)
{
    const uintptr_t address = (uintptr_t)a;
    int sum = 0;
#pragma omp target map(tofrom: sum)
    sum += ((int *)address)[1]; // rex-expect: unmapped-access
#pragma omp target map(tofrom: sum) map(to: a[0:N])
    sum += a[1];
    return sum;
}

struct outer {
    struct {
        double factor;
        int *values;
    } inner;
};

static int nested(int *a)
{
    struct outer o;
    int sum = 0;
    o.inner.values = a;
    o.inner.factor = 1;
#pragma omp target map(to: o) map(tofrom: sum)
    sum += o.inner.values[2]; // rex-expect: unmapped-access
#pragma omp target map(to: o, o.inner.values[0:N]) map(tofrom: sum)
    sum += o.inner.values[2];
    return sum;
}

struct two {
    int *x, *y;
};

static int second_member(int *a, int *b)
{
    struct two t = {a, b};
    int sum = 0;
#pragma omp target map(to: t, t.x[0:N]) map(tofrom: sum)
    sum += t.x[1] + t.y[1]; // rex-expect: unmapped-access
#pragma omp target map(to: t, t.x[0:N], t.y[0:N]) map(tofrom: sum)
    sum += t.x[1] + t.y[1];
    return sum;
}

#pragma omp declare target
static int third(const int *p)
{
    return p[3]; // rex-expect: unmapped-access
}
static int fourth(const int *p)
{
    return p[4];
}
static int *anchor;
#pragma omp end declare target

static int in_a_function(int *a)
{
    struct two t = {a, a};
    int sum = 0;
#pragma omp target map(to: t) map(tofrom: sum)
    sum += third(t.x);
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += fourth(a);
    return sum;
}

static int global_pointer(int *a)
{
    int sum = 0;
    anchor = a;
#pragma omp target update to(anchor)
#pragma omp target map(tofrom: sum)
    sum += anchor[5]; // rex-expect: unmapped-access
#pragma omp target map(tofrom: sum) map(to: a[0:N])
    {
        anchor = a;
        sum += anchor[5];
    }
    return sum;
}

static int own_copy(int *a)
{
    int sum = 0;
#pragma omp target firstprivate(a) map(tofrom: sum)
    sum += a[6]; // rex-expect: unmapped-access
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[6];
    return sum;
}

static int taken_for_a_device_pointer(int *a)
{
    int sum = 0;
#pragma omp target is_device_ptr(a) map(tofrom: sum)
    sum += a[7]; // rex-expect: unmapped-access
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
#pragma omp target is_device_ptr(a) map(tofrom: sum)
    sum += a[7];
    return sum;
}

static int changed_after(int *a, int *b)
{
    struct two t = {a, a};
    int sum = 0;
#pragma omp target data map(to: a[0:N])
    {
        t.x = b; /* instead of what is mapped */
#pragma omp target map(to: t) map(tofrom: sum)
        sum += t.x[1]; // rex-expect: unmapped-access
    }
#pragma omp target map(to: t, t.x[0:N]) map(tofrom: sum)
    sum += t.x[1];
    return sum;
}

static void written(int *a)
{
    struct two t = {a, a};
#pragma omp target teams distribute parallel for map(to: t)
    for (int i = 0; i < N; ++i)
        t.y[i] = i; // rex-expect: unmapped-access
#pragma omp target teams distribute parallel for map(to: t) map(from: t.y[0:N])
    for (int i = 0; i < N; ++i)
        t.y[i] = i;
}

/* ---- device memory on the host ---- */

static int *on_device(size_t bytes)
{
    int *p = omp_target_alloc(bytes, omp_get_default_device());
#pragma omp target is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i;
    return p;
}

static void copied_back(void *to, const void *from, size_t bytes)
{
    omp_target_memcpy(to, from, bytes, 0, 0, omp_get_initial_device(), omp_get_default_device());
}

static void write(int *p)
{
    p[1] = 5; // rex-expect: device-memory-on-host
#pragma omp target is_device_ptr(p)
    p[1] = 5;
}

static void add(int *p)
{
    p[1] += 5; // rex-expect: device-memory-on-host
#pragma omp target is_device_ptr(p)
    p[1] += 5;
}

static int loop(int *p)
{
    int sum = 0, own[N];
    for (int i = 0; i < N; ++i)
        sum += p[i]; // rex-expect: device-memory-on-host
    copied_back(own, p, sizeof(own));
    for (int i = 0; i < N; ++i)
        sum += own[i];
    return sum;
}

static int in_threads(int *p)
{
    int sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += p[i]; // rex-expect: device-memory-on-host
#pragma omp target teams distribute parallel for reduction(+: sum) is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        sum += p[i];
    return sum;
}

static int copy(int *p)
{
    int own[N];
    memcpy(own, p, sizeof(own)); // rex-expect: device-memory-on-host
    copied_back(own, p, sizeof(own));
    return own[2];
}

static void clear(int *p)
{
    memset(p, 0, N * sizeof(int)); // rex-expect: device-memory-on-host
    omp_target_memset(p, 0, N * sizeof(int), omp_get_default_device());
}

static int used_address(int *a)
{
    int seen = 0;
#pragma omp target data map(tofrom: a[0:N]) use_device_ptr(a)
    seen = a[2]; // rex-expect: device-memory-on-host
#pragma omp target data map(tofrom: a[0:N])
    seen += a[2];
    return seen;
}

static int used_address_of_array(void)
{
    int own[N] = {0}, seen = 0;
#pragma omp target data map(tofrom: own) use_device_addr(own)
    seen = own[3]; // rex-expect: device-memory-on-host
#pragma omp target data map(tofrom: own)
    seen += own[3];
    return seen;
}

static int mapped_pointer(int *a)
{
    int seen = 0;
#pragma omp target data map(tofrom: a[0:N])
    {
        const int *p = omp_get_mapped_ptr(a, omp_get_default_device());
        seen = p[4]; // rex-expect: device-memory-on-host
        seen += a[4];
    }
    return seen;
}

static int came_from_the_device(int *a)
{
    int *p, seen = 0;
    long at;
#pragma omp target data map(to: a[0:N])
    {
#pragma omp target map(from: p)
        p = &a[5];
        seen = *p; // rex-expect: device-memory-on-host
#pragma omp target map(from: at)
        at = &a[5] - a;
        seen += a[at];
    }
    return seen;
}

static int value_of(const int *p)
{
    return p[1]; // rex-expect: device-memory-on-host
}

static double members(struct outer *p)
{
    struct outer own;
    double seen = p->inner.factor; // rex-expect: device-memory-on-host
    copied_back(&own, p, sizeof(own));
    return seen > own.inner.factor;
}

static char bytes(char *p)
{
    char seen = p[N], own[N]; // rex-expect: device-memory-on-host
    copied_back(own, p, sizeof(own));
    return seen + own[1];
}

static void printed(int *p)
{
    int own;
    printf("%d\n", *p >= 0); // rex-expect: device-memory-on-host
    copied_back(&own, p, sizeof(own));
    printf("%d\n", own >= 0);
}

int main(void)
{
    int *a = filled(), *b = filled(), *p = on_device(N * sizeof(int));
    struct node second = {2, NULL}, first = {1, &second};
    int sum = rows(a, b) + one_row_of_two(a, b) + next_of_list(&first) + number(a) + nested(a) + second_member(a, b);
    sum += in_a_function(a) + global_pointer(a) + own_copy(a) + taken_for_a_device_pointer(a) + changed_after(a, b);
    written(a);
    write(p);
    add(p);
    sum += loop(p) + in_threads(p) + copy(p) + used_address(a) + used_address_of_array() + mapped_pointer(a);
    clear(p);
    sum += came_from_the_device(a) + value_of(p) + (members((struct outer *)p) > 0) + bytes((char *)p);
    printed(p);
    omp_target_free(p, omp_get_default_device());
    printf("%d\n", sum != 0);
    free(a);
    free(b);
    return 0;
}
