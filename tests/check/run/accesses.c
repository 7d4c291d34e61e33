/* Accesses of memory that is not there: on the device, and on the host. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static int table[N];

static int *filled(int n)
{
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i)
        a[i] = i;
    return a;
}

struct list {
    int n;
    int *values;
};

static void point(struct list *l, int *values)
{
    l->n = N;
    l->values = values;
}

/* The pointer reaches the device in a structure, but what it points to does not. */
static int heap_in_structure(struct list *l, int is_right)
{
    int sum = 0;
    if (is_right) {
#pragma omp target map(to: l[0:1], l->values[0:N]) map(tofrom: sum)
        for (int i = 0; i < N; ++i)
            sum += l->values[i];
    } else {
#pragma omp target map(to: l[0:1]) map(tofrom: sum)
        for (int i = 0; i < N; ++i)
            sum += l->values[i]; // rex-expect: unmapped-access
    }
    return sum;
}

static int stack_in_structure(void)
{
    int local[N] = {0}, sum = 0;
    struct list l;
    point(&l, local);
#pragma omp target map(to: l) map(tofrom: sum)
    for (int i = 0; i < N; ++i)
        sum += l.values[i]; // rex-expect: unmapped-access
    return sum;
}

static int static_in_structure(void)
{
    struct list l;
    int sum = 0;
    point(&l, table);
#pragma omp target map(to: l) map(tofrom: sum)
    for (int i = 0; i < N; ++i)
        sum += l.values[i]; // rex-expect: unmapped-access
    return sum;
}

static void behind_the_section(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N - 1])
    for (int i = 0; i < N; ++i)
        a[i] += 1; // rex-expect: outside-section
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] += 1;
}

static void in_front_of_the_section(int *a)
{
#pragma omp target map(tofrom: a[8:N - 8])
    for (int i = 7; i < N; ++i)
        a[i] += 1; // rex-expect: outside-section
#pragma omp target map(tofrom: a[8:N - 8])
    for (int i = 8; i < N; ++i)
        a[i] += 1;
}

static void too_long(int *a)
{
#pragma omp target map(tofrom: a[0:N + 1]) // rex-expect: section-too-long
    a[0] = 1;
#pragma omp target map(tofrom: a[0:N])
    a[0] = 1;
}

static int after_release(int *a)
{
    int *device, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    device = a;
#pragma omp target is_device_ptr(device) map(tofrom: sum)
    sum += device[3]; // rex-expect: released-access
    return sum;
}

static int on_the_host(void)
{
    int device = omp_get_default_device(), seen = 0;
    int *memory = omp_target_alloc(N * sizeof(int), device);
#pragma omp target is_device_ptr(memory)
    for (int i = 0; i < N; ++i)
        memory[i] = i;
    seen = memory[5]; // rex-expect: device-memory-on-host
    omp_target_memcpy(&seen, memory, sizeof seen, 0, 0, omp_get_initial_device(), device);
    omp_target_free(memory, device);
    return seen;
}

int main(void)
{
    int *a = filled(N);
    struct list l = {N, filled(N)};
    int sum = heap_in_structure(&l, 0) + heap_in_structure(&l, 1) + stack_in_structure() + static_in_structure();
    behind_the_section(a);
    in_front_of_the_section(a);
    too_long(a);
    sum += after_release(a) + on_the_host();
    printf("%d\n", sum);
    free(a);
    free(l.values);
    return 0;
}
