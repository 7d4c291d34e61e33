// The allocate clause: private copies of scalars and arrays with an allocator.
#include "check.hpp"
#include <omp.h>

int main()
{
    int a[32], k = 0, t[4] = {1, 2, 3, 4};
#pragma omp target teams distribute parallel for private(k) allocate(omp_default_mem_alloc: k) map(from: a)
    for (int i = 0; i < 32; ++i) {
        k = i;
        a[i] = k * 2;
    }
    check("private", a[31], 62);
#pragma omp target parallel for firstprivate(t) allocate(omp_default_mem_alloc: t) map(from: a)
    for (int i = 0; i < 32; ++i)
        a[i] = t[i % 4];
    check("firstprivate", a[30], 3);
    return report();
}
