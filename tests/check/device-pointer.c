/* Wrong: the host follows an address of device memory. Behind each stands its right form. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
static double *on_device(int n) { return omp_target_alloc(n * sizeof(double), omp_get_default_device()); }
static double *on_host(int n) { return malloc(n * sizeof(double)); }

double a_read(void)
{
    const int device = omp_get_default_device();
    double own[N], *p = omp_target_alloc(sizeof own, device);
    double seen = p[3]; // rex-expect: device-pointer
    omp_target_memcpy(own, p, sizeof own, 0, 0, omp_get_initial_device(), device);
    seen += own[3];
    omp_target_free(p, device);
    return seen;
}
void a_write(void)
{
    double *p = on_device(N), *q = on_host(N);
    for (int i = 0; i < N; ++i)
        p[i] = i; // rex-expect: device-pointer
    for (int i = 0; i < N; ++i)
        q[i] = i;
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        p[i] = i;
    omp_target_free(p, omp_get_default_device());
    free(q);
}
static void fill(double *p)
{
    p[1] = 1; // rex-expect: device-pointer
}
static void fill_rightly(double *p)
{
    p[1] = 1;
}
void in_a_function(double *q)
{
    double *p = on_device(N);
    fill(p);
    fill_rightly(q);
    omp_target_free(p, omp_get_default_device());
}
double of_mapped_memory(double *a)
{
    double seen = 0;
#pragma omp target data map(to: a[0:N])
    {
        double *p = omp_get_mapped_ptr(a, omp_get_default_device());
        seen += p[2]; // rex-expect: device-pointer
        seen += a[2];
    }
    return seen;
}
void copies(double *own)
{
    double *p = on_device(N);
    memcpy(own, p, N * sizeof *p); // rex-expect: device-pointer
    memset(p, 0, N * sizeof *p); // rex-expect: device-pointer
    memset(own, 0, N * sizeof *own);
    printf("%p\n", (void *)p);
    omp_target_free(p, omp_get_default_device());
}
double another_name(void)
{
    double *p = on_device(N), *q = p + 3;
    const double seen = *q; // rex-expect: device-pointer
    omp_target_free(p, omp_get_default_device());
    return seen;
}
void mapped_once_more(double *x)
{
    double *p = on_device(N);
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: p[0:N]) // rex-expect: device-pointer
    for (int i = 0; i < N; ++i)
        p[i] = x[i];
#pragma omp target teams distribute parallel for map(from: x[0:N]) is_device_ptr(p)
    for (int i = 0; i < N; ++i)
        x[i] = p[i];
    omp_target_free(p, omp_get_default_device());
}
void copied_as_of_the_host(double *own)
{
    const int host = omp_get_initial_device(), device = omp_get_default_device();
    double *p = on_device(N), *q = omp_target_alloc(N * sizeof *q, host);
    omp_target_memcpy(p, own, N * sizeof *p, 0, 0, device, host);
    omp_target_memcpy(own, p, N * sizeof *p, 0, 0, host, host); // rex-expect: device-pointer
    omp_target_memcpy(q, p, N * sizeof *p, 0, 0, host, device);
    own[0] = q[1];
    omp_target_free(q, host);
    omp_target_free(p, device);
}
