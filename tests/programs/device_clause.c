/* device: the default device by number, an expression, on regions and data constructs; the initial device. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"
#include "headers/device.h"

#define N 30

#ifndef REFERENCE
/* omp_initial_device is -1, which libomptarget takes for the default device. gcc has it since release 13. */
static void initial_device(void)
{
    enum { AGAIN = omp_initial_device };
    int here[2] = {1, 2}, there[2] = {0}, seen = 0;

    CHECK(omp_initial_device == -1 && AGAIN == -1 && omp_invalid_device < -1);
    for (int device = omp_initial_device; device < omp_get_num_devices(); ++device) {
        int where = -1;
#pragma omp target device(device) map(from: where)
        where = omp_is_initial_device();
        CHECK(where == (device == -1 || regions_on_host()));
        seen += where;

        int *memory = (int *)omp_target_alloc(sizeof here, device);
        CHECK(memory && !omp_target_memcpy(memory, here, sizeof here, 0, 0, device, omp_initial_device));
        CHECK(!omp_target_memcpy(there, memory, sizeof here, 0, 0, omp_get_initial_device(), device));
        CHECK(there[0] == 1 && there[1] == 2 && (device != -1 || (memory[0] == 1 && memory[1] == 2)));
        omp_target_free(memory, device);
    }
    CHECK(seen >= 1 && omp_target_is_present(here, omp_initial_device));
#pragma omp target enter data map(to: here) device(omp_initial_device) // rex-ignore: leak: the host is the device, and has no copy
#pragma omp target data map(here) device(omp_initial_device)
#pragma omp target device(omp_initial_device) map(here)
    here[1] = 9;
    CHECK(here[1] == 9 && (regions_on_host() || !omp_target_is_present(here, omp_get_default_device())));

    const int before = omp_get_default_device();
    omp_set_default_device(omp_initial_device);
#pragma omp target map(from: seen)
    seen = omp_is_initial_device();
    CHECK(seen && (regions_on_host() || omp_get_default_device() != before));
    omp_set_default_device(before);
}
#endif

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

#pragma omp target data device(device) map(to: a) // rex-ignore: stale: what does not come back is tested
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
#ifndef REFERENCE
    initial_device();
#endif
    return CHECK_RESULT();
}
