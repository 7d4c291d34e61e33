/* Wrong: regions use memory of the device that is not there any more. */
#include <omp.h>
#include <stdlib.h>
#define N 100

int after_free(void)
{
    const int device = omp_get_default_device();
    int *p = omp_target_alloc(N * sizeof *p, device), sum = 0;
#pragma omp target is_device_ptr(p)
    p[3] = 3;
    omp_target_free(p, device);
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[3]; // rex-expect: released
    return sum;
}

void filled_after_free(void)
{
    double *p = omp_target_alloc(N * sizeof *p, omp_get_default_device());
    omp_target_free(p, omp_get_default_device());
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i; // rex-expect: released
}

int after_exit(void)
{
    int *a = calloc(N, sizeof *a), sum = 0;
#pragma omp target enter data map(to: a[0:N])
    int *p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target exit data map(delete: a[0:N])
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1]; // rex-expect: released
    free(a);
    return sum;
}

int after_exit_in_a_function(int *a)
{
    int sum = 0;
#pragma omp target enter data map(to: a[0:N])
    int *p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target exit data map(release: a[0:N])
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1]; // rex-expect: released (likely)
    return sum;
}

void one_too_many(void)
{
    int *p = omp_target_alloc(N * sizeof *p, omp_get_default_device());
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i <= N; ++i)
        p[i] = i; // rex-expect: bounds
    omp_target_free(p, omp_get_default_device());
}

/* Right. */

int before_free(void)
{
    const int device = omp_get_default_device();
    int *p = omp_target_alloc(N * sizeof *p, device), sum = 0;
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[3];
    omp_target_free(p, device);
    p = omp_target_alloc(2 * N * sizeof *p, device);
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < 2 * N; ++i)
        p[i] = i;
    omp_target_free(p, device);
    return sum;
}

int changed_by_the_address(void)
{
    int *a = calloc(N, sizeof *a), sum = 0;
#pragma omp target enter data map(to: a[0:N])
    int *p = omp_get_mapped_ptr(a, omp_get_default_device());
    a[1] = 4;
#pragma omp target is_device_ptr(p)
    p[1] = 5;
#pragma omp target map(tofrom: sum)
    sum += a[1];
#pragma omp target exit data map(from: a[0:N])
    sum += a[1];
    free(a);
    return sum;
}

int mapped_again(int *a)
{
    int sum = 0;
#pragma omp target enter data map(to: a[0:N])
    int *p = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1];
#pragma omp target exit data map(release: a[0:N])
    return sum;
}

void freed_on_an_early_way(int n)
{
    const int device = omp_get_default_device();
    int *p = omp_target_alloc(N * sizeof *p, device);
    if (n == 0) {
        omp_target_free(p, device);
        return;
    }
#pragma omp target is_device_ptr(p)
    p[0] = n;
    omp_target_free(p, device);
}

int kept_behind_the_construct(int *a)
{
    int *p, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[1]; // rex-expect: released (likely)
    return sum;
}

double kept_behind_the_construct_and_added_up(void)
{
    double *a = calloc(N, sizeof *a), *p, sum = 0;
#pragma omp target data map(to: a[0:N]) use_device_ptr(a)
    p = a;
#pragma omp target teams distribute parallel for reduction(+: sum) is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        sum += p[i]; // rex-expect: released
    free(a);
    return sum;
}

double used_within_the_construct(void)
{
    double *a = calloc(N, sizeof *a), *p, sum = 0;
#pragma omp target data map(tofrom: a[0:N]) use_device_ptr(a)
    {
        p = a;
#pragma omp target teams distribute parallel for is_device_ptr(p, a)
        for (int i = 0; i < N; ++i)
            p[i] = a[i] + 1;
    }
    for (int i = 0; i < N; ++i)
        sum += a[i];
    free(a);
    return sum;
}

/* What 'present' says has to be true where the directive stands. */
int present(int n, int *given)
{
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; ++i)
        a[i] = b[i] = i;
#pragma omp target map(present, tofrom: given[0:n])
    given[0] = 1;
#pragma omp target enter data map(to: a[0:n])
#pragma omp target map(present, alloc: a[0:n])
    a[1] = 2 * a[2];
#pragma omp target exit data map(from: a[0:n])
#pragma omp target map(present, alloc: a[0:n]) // rex-expect: released
    a[1] = 2 * a[2];
#pragma omp target map(present, to: b[0:n]) // rex-expect: unmapped-pointer
    b[1] = 2 * b[2];
    int sum = a[1] + given[0];
    free(a);
    free(b);
    return sum;
}
