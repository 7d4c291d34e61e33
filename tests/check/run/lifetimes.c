/* Mappings that end too early, too often or never. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };
static int fixed[N], whole[4][N];

struct vector {
    int n;
    int *x;
};

static int *some(void)
{
    int *p = malloc(N * sizeof(int));
    for (int i = 0; i < N; ++i)
        p[i] = i;
    return p;
}

/* ---- used after its end ---- */

static int after_exit(int *a)
{
    int *p, sum = 0;
#pragma omp target enter data map(to: a[0:N])
    p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1];
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1]; // rex-expect: released-access
    return sum;
}

static void written_after_exit(int *a)
{
    int *p;
#pragma omp target enter data map(to: a[0:N])
    p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target exit data map(release: a[0:N])
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i; // rex-expect: released-access
}

static int after_free(void)
{
    int *p = omp_target_alloc(N * sizeof(int), omp_get_default_device()), sum = 0;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[3] = 3;
    omp_target_free(p, omp_get_default_device());
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[3]; // rex-expect: released-access
    return sum;
}

static void filled_after_free(void)
{
    int *p = omp_target_alloc(N * sizeof(int), omp_get_default_device());
    omp_target_free(p, omp_get_default_device());
#pragma omp target is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i; // rex-expect: released-access
}

static int kept_in_a_structure(int *a)
{
    struct vector v = {N, NULL};
    int sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    {
        v.x = a;
#pragma omp target map(to: v) map(tofrom: sum)
        sum += v.x[2];
    }
#pragma omp target map(to: v) map(tofrom: sum)
    sum += v.x[2]; // rex-expect: released-access
    return sum;
}

static int address_of_an_array(void)
{
    int *p, sum = 0;
#pragma omp target data map(to: fixed) use_device_addr(fixed)
    p = fixed;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[4]; // rex-expect: released-access
    return sum;
}

static int from_the_device(int *a)
{
    int *p, sum = 0;
#pragma omp target map(to: a[0:N]) map(from: p)
    p = &a[5];
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += *p; // rex-expect: released-access
    return sum;
}

#pragma omp declare target
static int *kept;
static int first(const int *p)
{
    return p[0]; // rex-expect: released-access
}
#pragma omp end declare target

static int kept_on_the_device(int *a)
{
    int sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    {
        kept = a;
        sum += kept[1];
    }
#pragma omp target map(tofrom: sum)
    sum += kept[1]; // rex-expect: released-access
    return sum;
}

static int in_a_function(int *a)
{
    int *p, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += first(p);
    return sum;
}

static int one_of_two(int *a, int *b)
{
    int *p, *q, sum = 0;
#pragma omp target enter data map(to: a[0:N], b[0:N])
    p = omp_get_mapped_ptr(a, omp_get_default_device());
    q = omp_get_mapped_ptr(b, omp_get_default_device());
#pragma omp target exit data map(delete: b[0:N])
#pragma omp target is_device_ptr(p, q) map(tofrom: sum)
    {
        sum += p[1];
        sum += q[1]; // rex-expect: released-access
    }
#pragma omp target exit data map(delete: a[0:N])
    return sum;
}

static int in_the_loop(int *a)
{
    int *p = NULL, sum = 0;
    for (int k = 0; k < 2; ++k) {
        if (k == 0) {
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
            p = a;
        }
#pragma omp target is_device_ptr(p) map(tofrom: sum) if(k)
        sum += k ? p[7] : 0; // rex-expect: released-access
    }
    return sum;
}

static int deleted_in_a_region(int *a)
{
    int *p, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    {
        p = a;
    }
#pragma omp target data map(to: a[0:N]) // rex-expect: double-release
    {
        p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target is_device_ptr(p) map(tofrom: sum)
        sum += p[8];
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target is_device_ptr(p) map(tofrom: sum)
        sum += p[8]; // rex-expect: released-access
    }
    return sum;
}

static double reduced(double *a)
{
    double *p, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target teams distribute parallel for reduction(+: sum) is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        sum += p[i]; // rex-expect: released-access
    return sum;
}

static void atomically(int *a)
{
    int *p;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target is_device_ptr(p)
    {
#pragma omp atomic // rex-expect: released-access
        p[9] += 1;
    }
}

static int in_a_team(char *a)
{
    char *p;
    int sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target teams num_teams(2) is_device_ptr(p) reduction(+: sum)
    sum += p[10]; // rex-expect: released-access
    return sum;
}

/* ---- released too often ---- */

static void releases(int *a, int *b, double *d, char *c, struct vector *v)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
#pragma omp target exit data map(release: a[0:N]) // rex-expect: double-release
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(from: a[0:N])
#pragma omp target exit data map(from: a[0:N]) // rex-expect: double-release
#pragma omp target enter data map(alloc: b[0:N])
#pragma omp target enter data map(alloc: b[0:N])
#pragma omp target exit data map(delete: b[0:N])
#pragma omp target exit data map(release: b[0:N]) // rex-expect: double-release
#pragma omp target enter data map(to: fixed)
#pragma omp target exit data map(delete: fixed)
#pragma omp target exit data map(delete: fixed) // rex-expect: double-release
#pragma omp target enter data map(to: whole)
#pragma omp target exit data map(release: whole)
#pragma omp target exit data map(from: whole) // rex-expect: double-release
#pragma omp target enter data map(to: d[0:N], c[0:N])
#pragma omp target exit data map(delete: d[0:N])
#pragma omp target exit data map(delete: d[0:N], c[0:N]) // rex-expect: double-release
#pragma omp target enter data map(to: c[0:N])
#pragma omp target data map(to: c[0:N]) // rex-expect: double-release
    {
#pragma omp target exit data map(delete: c[0:N])
    }
#pragma omp target exit data map(release: c[0:N]) // rex-expect: double-release
#pragma omp target enter data map(to: v[0:1])
#pragma omp target exit data map(release: v[0:1])
#pragma omp target exit data map(release: v[0:1]) // rex-expect: double-release
#pragma omp target enter data map(to: a[8:8])
#pragma omp target exit data map(release: a[8:8])
#pragma omp target exit data map(release: a[8:8]) // rex-expect: double-release
    for (int k = 0; k < 2; ++k) {
        if (k == 0) {
#pragma omp target enter data map(to: b[0:N])
        }
#pragma omp target exit data map(release: b[0:N]) // rex-expect: double-release
    }
}

static void done(int *a)
{
#pragma omp target exit data map(release: a[0:N]) // rex-expect: double-release
}

static void by_two_functions(int *a)
{
#pragma omp target enter data map(to: a[0:N])
    done(a);
    done(a);
}

static void in_a_data_region(int *a)
{
#pragma omp target data map(to: a[0:N]) // rex-expect: double-release
    {
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target exit data map(delete: a[0:N]) // rex-expect: double-release
    }
}

static void conditional(int *a, int is_last)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target exit data map(delete: a[0:N]) if(is_last) // rex-expect: double-release
}

static void one_member(struct vector *v)
{
    int *x = v->x;
#pragma omp target enter data map(to: x[0:N])
#pragma omp target exit data map(delete: x[0:N])
#pragma omp target exit data map(delete: x[0:N]) // rex-expect: double-release
}

static void right_counts(int *a, int *b)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
#pragma omp target exit data map(from: a[0:N])
#pragma omp target data map(tofrom: b[0:N])
    {
#pragma omp target enter data map(to: b[0:N])
#pragma omp target exit data map(release: b[0:N])
    }
#pragma omp target enter data map(to: whole[0:2])
#pragma omp target exit data map(release: whole[0:2])
#pragma omp target enter data map(to: fixed) if(a[0] > N)
#pragma omp target exit data map(release: fixed) if(a[0] > N)
#pragma omp target enter data map(to: a[0:8], b[0:8])
#pragma omp target exit data map(delete: b[0:8])
#pragma omp target exit data map(delete: a[0:8])
}

int main(void)
{
    int *a = some(), *b = some();
    double *d = calloc(N, sizeof(*d));
    char *c = calloc(N, 1);
    struct vector v = {N, b};
    int sum = after_exit(a) + after_free() + kept_in_a_structure(a) + address_of_an_array() + from_the_device(a);
    written_after_exit(a);
    filled_after_free();
    sum += kept_on_the_device(a) + in_a_function(a) + one_of_two(a, b) + in_the_loop(a) + deleted_in_a_region(a);
    sum += reduced(d) + in_a_team(c);
    atomically(a);
    releases(a, b, d, c, &v);
    by_two_functions(a);
    in_a_data_region(a);
    conditional(a, 1);
    one_member(&v);
    right_counts(a, b);
    printf("%d\n", sum != 0);
    free(a);
    free(b);
    free(c);
    free(d);
    return 0;
}
