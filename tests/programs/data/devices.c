/* Several devices: device(n), device(device_num: n), the default device, data on each of them. */
#include "data.h"

#define N 32

static int mark(int device, int a[N])
{
    int where = -1;
#pragma omp target device(device_num : device) map(from : where) map(tofrom : a[0:N])
    {
        where = omp_get_device_num();
        for (int i = 0; i < N; ++i)
            a[i] += 1;
    }
    return where;
}

int main(void)
{
    const int devices = omp_get_num_devices(), last = devices > 1 ? devices - 1 : 0;
    int a[N] = {0};

    for (int d = 0; d <= last; ++d)
        CHECK(!SEPARATE || mark(d, a) == d);
    CHECK(!SEPARATE || a[3] == last + 1);

    for (int d = 0; SEPARATE && d <= last; ++d) {
        a[0] = 100 * d;
#pragma omp target enter data map(to : a) device(d) // rex-ignore: stale: each device keeps what it has
        CHECK(omp_target_is_present(a, d));
    }
    if (SEPARATE) {
        int seen[2] = {-1, -1};
        a[0] = -5;
#pragma omp target map(alloc : a) map(from : seen) device(0)
        seen[0] = a[0];
        CHECK(seen[0] == 0);
#pragma omp target map(alloc : a) map(from : seen) device(last)
        seen[1] = a[0];
        CHECK(seen[1] == 100 * last);
#pragma omp target update from(a[0:1]) device(last)
        CHECK(a[0] == 100 * last);
#pragma omp target data map(tofrom : seen) device(last)
        {
#pragma omp target device(last) map(alloc : a)
            a[1] = seen[1] + 7;
        }
    }
    for (int d = 0; SEPARATE && d <= last; ++d) {
#pragma omp target exit data map(from : a) device(d)
        CHECK(!omp_target_is_present(a, d));
    }
    CHECK(!SEPARATE || a[1] == 100 * last + 7);

    const int before = omp_get_default_device();
    int where = -2;
    omp_set_default_device(last);
#pragma omp target map(from : where)
    where = omp_get_device_num();
    CHECK(!SEPARATE || where == last);
    omp_set_default_device(before);
#pragma omp target map(from : where)
    where = omp_get_device_num();
    CHECK(!SEPARATE || where == before);
    /* The host as a device. */
    where = -1;
#pragma omp target device(omp_get_initial_device()) map(from : where)
    where = omp_is_initial_device();
    CHECK(where == 1);
    return CHECK_RESULT();
}
