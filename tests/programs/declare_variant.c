/* declare variant and begin declare variant: other functions on the device, the base function on the host. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#define N 10

static int on_gpu(int x)
{
    return x + 100;
}

static int in_parallel(int x)
{
    return x + 1000;
}

#pragma omp declare variant(on_gpu) match(device = {kind(nohost)})
#pragma omp declare variant(in_parallel) match(construct = {target, parallel}, device = {arch(nvptx64)})
static int where(int x)
{
    return x;
}

#pragma omp declare simd notinbranch uniform(x)
static int kind_of(int x)
{
    return 2 * x;
}

#ifndef REFERENCE /* gcc does not know it */
#pragma omp begin declare variant match(device = {kind(gpu)})
static int kind_of(int x)
{
    return 3 * x;
}
#pragma omp end declare variant
#pragma omp begin declare variant match(implementation = {vendor(gnu)}, device = {kind(host)})
static int vendor(void)
{
    return 1;
}
#pragma omp end declare variant
#endif

static int vendor(void)
{
#ifdef REFERENCE
    return 1;
#else
    return 0;
#endif
}

static int through(int x)
{
    return where(x) + 1;
}

int main(void)
{
    int a[N], device = 0;

#pragma omp target map(from: a, device)
    {
        a[0] = where(5);
        a[1] = through(5);
        a[2] = kind_of(10);
        device = !omp_is_initial_device();
#pragma omp parallel for
        for (int i = 3; i < N; ++i)
            a[i] = where(i);
    }
    CHECK(a[0] == (device ? 105 : 5) && a[1] == (device ? 106 : 6));
    CHECK(a[2] == (device ? 30 : 20));
    for (int i = 3; i < N; ++i)
        CHECK(a[i] == (device ? i + 1000 : i));
    CHECK(where(5) == 5 && kind_of(10) == 20 && vendor() == 1);
    return CHECK_RESULT();
}
