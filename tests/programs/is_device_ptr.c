/* is_device_ptr: memory that the program allocated on the device itself. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>

#define N 400

#pragma omp declare target
double *of_unit; /* The region has a copy of it, with the host's value. */
#pragma omp end declare target

int main(void)
{
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    double *h = (double *)malloc(N * sizeof *h);
    double *d = (double *)omp_target_alloc(N * sizeof *d, device);
    int *counters = (int *)omp_target_alloc(2 * sizeof *counters, device);

    CHECK(d != NULL && counters != NULL);
    for (int i = 0; i < N; ++i)
        h[i] = i;

    CHECK(omp_target_memcpy(d, h, N * sizeof *d, 0, 0, device, host) == 0);
#pragma omp target teams distribute parallel for is_device_ptr(d)
    for (int i = 0; i < N; ++i)
        d[i] = d[i] * d[i];
    CHECK(omp_target_memcpy(h, d, N * sizeof *d, 0, 0, host, device) == 0);
    for (int i = 0; i < N; ++i)
        CHECK(h[i] == (double)i * i);

#pragma omp target is_device_ptr(d, counters)
    {
        counters[0] = counters[1] = 0;
        for (int i = 0; i < N; ++i) {
            counters[0] += d[i] > 100;
            counters[1] += d[i] <= 100;
        }
    }
    int result[2];
    CHECK(omp_target_memcpy(result, counters, sizeof result, 0, 0, host, device) == 0);
    printf("%d %d\n", result[0], result[1]);

    /* Together with mapped data, and with an offset. */
    double *upper = d + N / 2;
#pragma omp target parallel for is_device_ptr(upper) map(from: h[0:N / 2])
    for (int i = 0; i < N / 2; ++i)
        h[i] = upper[i];
    CHECK(h[0] == 40000.0 && h[1] == 201.0 * 201.0);

    of_unit = d;
#pragma omp target is_device_ptr(of_unit) map(from: h[0:1])
    h[0] = of_unit[3];
    CHECK(h[0] == 9.0);

    omp_target_free(counters, device);
    omp_target_free(d, device);
    free(h);
    return CHECK_RESULT();
}
