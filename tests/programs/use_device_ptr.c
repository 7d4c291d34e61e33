/* use_device_ptr and use_device_addr: the device's address of mapped data, as library calls need it. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 100

/* Stands for a library that wants device pointers. */
static void library_scale(double *device_data, int n, double factor)
{
#pragma omp target teams distribute parallel for is_device_ptr(device_data)
    for (int i = 0; i < n; ++i)
        device_data[i] *= factor;
}

int main(void)
{
    const int device = omp_get_default_device();
    double *p = (double *)malloc(N * sizeof *p), a[N], x = 2.0;
    int table[4][5];

    for (int i = 0; i < N; ++i)
        p[i] = a[i] = i;

#pragma omp target data map(tofrom: p[0:N]) use_device_ptr(p)
    library_scale(p, N, 3.0);
    for (int i = 0; i < N; ++i)
        CHECK(p[i] == 3.0 * i);

    double *const original = p;
#pragma omp target data map(tofrom: p[0:N])
    {
#pragma omp target data use_device_ptr(p)
        {
            library_scale(p + 10, 5, -1.0);
        }
        CHECK(p == original);
    }
    CHECK(p[9] == 27 && p[10] == -30 && p[14] == -42 && p[15] == 45);

#pragma omp target data map(tofrom: a) use_device_addr(a)
    library_scale(a, N, 0.5);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 0.5 * i);

#pragma omp target data map(tofrom: x) use_device_addr(x)
    {
        double *px = &x;
        library_scale(px, 1, 21.0);
    }
    CHECK(x == 42.0);

    for (int i = 0; i < 20; ++i)
        table[i / 5][i % 5] = i;
#pragma omp target data map(tofrom: table) use_device_addr(table)
    {
        int *row = table[2];
#pragma omp target is_device_ptr(row)
        for (int j = 0; j < 5; ++j)
            row[j] = -row[j];
    }
    CHECK(table[1][4] == 9 && table[2][0] == -10 && table[2][4] == -14 && table[3][0] == 15);

    /* Copy from the device by hand. */
    double copy[3] = {0};
#pragma omp target data map(to: p[0:N]) use_device_ptr(p)
    CHECK(omp_target_memcpy(copy, p, sizeof copy, 0, 10 * sizeof *p, omp_get_initial_device(), device) == 0);
    CHECK(copy[0] == -30 && copy[2] == -36);
    free(p);
    return CHECK_RESULT();
}
