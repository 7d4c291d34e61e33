/* if: with and without a modifier, on regions and on data constructs. A false target condition runs on the host. */
#include "check.h"
#include "headers/device.h"

#define N 64

int main(void)
{
    const int host = regions_on_host();
    int where = -1, threads = 0, n = N, a[N];

#pragma omp target if(0) map(from: where)
    where = omp_is_initial_device();
    CHECK(where == 1);

#pragma omp target if(target: n > 10) map(from: where)
    where = omp_is_initial_device();
    CHECK(where == host);

#pragma omp target if(n > 1000) map(tofrom: where, a)
    {
        where = omp_is_initial_device() + 1;
        for (int i = 0; i < N; ++i)
            a[i] = i;
    }
    CHECK(where == 2 && a[N - 1] == N - 1);

#pragma omp target parallel if(parallel: 0) map(from: threads, where)
    {
        threads = omp_get_num_threads();
        where = omp_is_initial_device();
    }
    CHECK(threads == 1 && where == host);

#pragma omp target teams distribute parallel for if(target: n < 0) if(parallel: n > 0) map(tofrom: a)
    for (int i = 0; i < n; ++i)
        a[i] += omp_is_initial_device();
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == i + 1);

    /* Without a modifier the condition is for both. */
    int wrong = 0;
#pragma omp target parallel for if(n < 0) reduction(+: wrong)
    for (int i = 0; i < n; ++i)
        wrong += omp_get_num_threads() != 1 || !omp_is_initial_device();
    CHECK(wrong == 0);

#pragma omp target parallel for if(parallel: n < 0) reduction(+: wrong) num_threads(8)
    for (int i = 0; i < n; ++i)
        wrong += omp_get_num_threads() != 1 || omp_get_thread_num() != 0;
    CHECK(wrong == 0);

    /* Inside a region. */
#pragma omp target map(from: threads)
    {
#pragma omp parallel if(n > 1000) num_threads(8)
        threads = omp_get_num_threads();
    }
    CHECK(threads == 1);

    /* Data constructs: without a mapping by target data the regions map for themselves. */
#pragma omp target data if(n > 1000) map(to: a)
    {
#pragma omp target map(tofrom: a)
        a[0] = 100;
        CHECK(a[0] == 100);
    }
#pragma omp target data if(n > 10) map(to: a)
    {
#pragma omp target map(tofrom: a)
        a[0] = 200;
        CHECK(a[0] == (host ? 200 : 100)); // rex-ignore: stale: nothing comes back yet
#pragma omp target update if(n > 1000) from(a)
        CHECK(a[0] == (host ? 200 : 100));
#pragma omp target update if(target update: n > 10) from(a)
        CHECK(a[0] == 200);
    }
#pragma omp target enter data if(n > 1000) map(to: a)
#pragma omp target map(tofrom: a)
    a[1] = 300;
    CHECK(a[1] == 300);
#pragma omp target exit data if(target exit data: n > 1000) map(from: a)
    return CHECK_RESULT();
}
