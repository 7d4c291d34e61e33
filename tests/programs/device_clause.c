/* device: the default device by number, an expression, on regions and data constructs; the initial device. */
#include "check.h"
#include "headers/device.h"

#define N 30

int main(void)
{
    const int host = regions_on_host();
    const int device = omp_get_default_device();
    int a[N] = {0}, where = -1;

#pragma omp target device(device) map(from: where)
    where = omp_is_initial_device();
    CHECK(where == host);

#pragma omp target device(device_num: device + 0) map(from: where)
    where = omp_is_initial_device();
    CHECK(where == host);

#pragma omp target teams distribute parallel for device(device) map(tofrom: a)
    for (int i = 0; i < N; ++i)
        a[i] = i;

#pragma omp target data device(device) map(to: a)
    {
#pragma omp target parallel for device(device) map(tofrom: a)
        for (int i = 0; i < N; ++i)
            a[i] *= 2;
        CHECK(a[10] == (host ? 20 : 10));
#pragma omp target update device(device) from(a[10:1])
        CHECK(a[10] == 20 && a[11] == (host ? 22 : 11));
    }

#pragma omp target enter data device(device) map(to: a)
#pragma omp target exit data device(device) map(from: a)
    CHECK(a[10] == 20);

#pragma omp target device(omp_get_initial_device()) map(tofrom: where, a)
    {
        where = omp_is_initial_device();
        a[0] = 7;
    }
    CHECK(where == 1 && a[0] == 7);
    return CHECK_RESULT();
}
