/* Memory that is read although nothing has written it. Each wrong one stands in front of its right form. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };
static int seen, table[4][N];

struct pair {
    int first, second;
};

static void refill(int *a)
{
    for (int i = 0; i < N; ++i)
        a[i] = i;
}

static void from_in_a_loop(int *a)
{
#pragma omp target teams distribute parallel for map(from: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] = a[i] + i; // rex-expect: uninitialised-read
    refill(a);
#pragma omp target teams distribute parallel for map(from: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] = i, a[i] += i;
}

static void entered_without_a_copy(int *a)
{
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target map(tofrom: seen)
    seen += a[1]; // rex-expect: uninitialised-read
#pragma omp target update to(a[0:N])
#pragma omp target map(tofrom: seen)
    seen += a[1];
#pragma omp target exit data map(release: a[0:N])
}

static void data_region(int *a)
{
#pragma omp target data map(alloc: a[0:N])
    {
#pragma omp target map(tofrom: seen)
        seen += a[2]; // rex-expect: uninitialised-read
#pragma omp target
        a[2] = 2;
#pragma omp target map(tofrom: seen)
        seen += a[2];
    }
}

static void half_of_it(int *a)
{
#pragma omp target data map(alloc: a[0:N])
    {
#pragma omp target update to(a[0:N / 2])
#pragma omp target map(tofrom: seen)
        for (int i = 0; i < N; ++i)
            seen += a[i]; // rex-expect: uninitialised-read
#pragma omp target map(tofrom: seen)
        for (int i = 0; i < N / 2; ++i)
            seen += a[i];
    }
}

static void not_the_last(int *a)
{
#pragma omp target data map(alloc: a[0:N])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N - 1; ++i)
            a[i] = i;
#pragma omp target map(tofrom: seen)
        seen += a[N - 1]; // rex-expect: uninitialised-read
#pragma omp target map(tofrom: seen)
        seen += a[N - 2];
    }
}

static void scalar(void)
{
    int count = 0, total = 0;
#pragma omp target map(from: count)
    count += 1; // rex-expect: uninitialised-read
#pragma omp target map(from: total)
    total = 1;
    seen += total;
}

static void atomically(void)
{
    int count = 0;
#pragma omp target teams distribute parallel for map(from: count)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic // rex-expect: uninitialised-read
        count += 1;
    }
    count = 0;
#pragma omp target teams distribute parallel for map(tofrom: count)
    for (int i = 0; i < N; ++i) {
#pragma omp atomic
        count += 1;
    }
    seen += count;
}

static void device_memory(void)
{
    const int device = omp_get_default_device();
    int *p = omp_target_alloc(N * sizeof(int), device), own[N];
#pragma omp target is_device_ptr(p) map(tofrom: seen)
    seen += p[3]; // rex-expect: uninitialised-read
    refill(own);
    omp_target_memcpy(p, own, sizeof(own), 0, 0, device, omp_get_initial_device());
#pragma omp target is_device_ptr(p) map(tofrom: seen)
    seen += p[3];
    omp_target_free(p, device);
}

static void of_the_host(void)
{
    int *a = malloc(N * sizeof(int));
    a[1] = 1;
#pragma omp target map(to: a[0:N]) map(tofrom: seen)
    seen += a[1];
#pragma omp target map(to: a[0:N]) map(tofrom: seen)
    seen += a[0]; // rex-expect: uninitialised-read
    free(a);
}

static void member_of_the_host(void)
{
    struct pair *p = malloc(N * sizeof(*p));
    for (int i = 0; i < N; ++i)
        p[i].first = i;
#pragma omp target teams distribute parallel for map(to: p[0:N]) reduction(+: seen)
    for (int i = 0; i < N; ++i)
        seen += p[i].first;
#pragma omp target teams distribute parallel for map(to: p[0:N]) reduction(+: seen)
    for (int i = 0; i < N; ++i)
        seen += p[i].second; // rex-expect: uninitialised-read
    free(p);
}

static void member_of_the_device(struct pair *p)
{
#pragma omp target map(from: p[0:2]) map(tofrom: seen)
    {
        p[0].first = p[1].first = 1;
        seen += p[1].second; // rex-expect: uninitialised-read
        p[0].second = 2;
        seen += p[0].second;
        p[1].second = 3;
    }
}

static void row(void)
{
#pragma omp target map(from: table)
    for (int i = 1; i < 4; ++i)
        for (int j = 0; j < N; ++j)
            table[i][j] = table[i - 1][j]; // rex-expect: uninitialised-read
#pragma omp target map(from: table)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < N; ++j)
            table[i][j] = i ? table[i - 1][j] : j;
}

static void in_a_function_of_the_host(const int *a)
{
    seen += a[N - 1]; // rex-expect: uninitialised-read
}

static void back_in_part(void)
{
    int *a = malloc(N * sizeof(int)), *b = malloc(N * sizeof(int));
#pragma omp target teams distribute parallel for map(from: a[0:N], b[0:N])
    for (int i = 0; i < N - 1; ++i)
        a[i] = b[i] = i;
    in_a_function_of_the_host(a);
    seen += b[N - 2];
    free(a);
    free(b);
}

static void updated_in_part(void)
{
    double *a = malloc(N * sizeof(*a));
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target
    a[4] = 4;
#pragma omp target update from(a[4:2])
    seen += a[4] > 0;
    seen += a[5] > 0; // rex-expect: uninitialised-read
#pragma omp target exit data map(delete: a[0:N])
    free(a);
}

static void by_every_second(void)
{
    char *a = malloc(N);
#pragma omp target teams distribute parallel for map(from: a[0:N])
    for (int i = 0; i < N; i += 2)
        a[i] = 1;
    for (int i = 0; i < N; i += 2)
        seen += a[i];
    for (int i = 1; i < N; i += 2)
        seen += a[i]; // rex-expect: uninitialised-read
    free(a);
}

/* A private copy that is set before it is read, in part, or only where it is read, is right. */
static void copies_without_values(int is_right)
{
    double a = 1, b = 2, c[4] = {0};
    int k = 0;
#pragma omp target teams distribute parallel for private(a, b, c, k) map(tofrom: seen)
    for (int i = 0; i < N; ++i) {
        if (is_right) {
            a = i;
            for (k = 0; k < 4; ++k)
                c[k] = a;
        }
        for (int j = 0; j < 4; ++j)
            if (is_right)
                a += c[j];
        double sum = 0;
        if (i == 5 && !is_right)
            sum += a > 0; // rex-expect: uninitialised-read
        c[1] = 1;
        if (i == 6 && !is_right)
            sum += c[1] + c[2]; // rex-expect: uninitialised-read
#pragma omp atomic
        seen += sum > 0;
    }
#pragma omp target map(tofrom: seen) private(b)
    {
        if (is_right)
            b = 3;
        seen += b > 0; // rex-expect: uninitialised-read
#pragma omp parallel for private(k)
        for (int i = 0; i < N; ++i) {
            if (is_right)
                k = i;
            int own = k; // rex-expect: uninitialised-read
#pragma omp atomic
            seen += own;
        }
    }
}

int main(void)
{
    int *a = malloc(N * sizeof(int));
    struct pair p[2] = {{0, 0}, {0, 0}};
    refill(a);
    from_in_a_loop(a);
    refill(a);
    entered_without_a_copy(a);
    data_region(a);
    refill(a);
    half_of_it(a);
    not_the_last(a);
    scalar();
    atomically();
    device_memory();
    of_the_host();
    member_of_the_host();
    member_of_the_device(p);
    row();
    back_in_part();
    updated_in_part();
    by_every_second();
    copies_without_values(1);
    copies_without_values(0);
    printf("%d\n", seen != 0);
    free(a);
    return 0;
}
