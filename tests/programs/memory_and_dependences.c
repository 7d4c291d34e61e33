/* Directives that have nothing to do in device code: allocate, depobj. Alignment of private copies. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>
#include <stdint.h>

#define N 64

int main(void)
{
    int a[N], misaligned = 0, ordered = 0;
    double scale = 2;

    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a) firstprivate(scale) \
    allocate(omp_default_mem_alloc: scale)
    for (int i = 0; i < N; ++i)
        a[i] = (int)(scale * a[i]);
#pragma omp target map(tofrom: misaligned)
    {
        char c = 1, d[3] = {1, 2, 3};
#ifndef REFERENCE
#pragma omp allocate(c, d) allocator(omp_cgroup_mem_alloc)
#endif
        for (int i = 0; i < 3; ++i)
            misaligned += d[i] * c;
        misaligned -= 6;
#pragma omp parallel num_threads(2) private(c) firstprivate(d) \
    allocate(align(64), allocator(omp_default_mem_alloc): c) allocate(align(32), allocator(omp_default_mem_alloc): d)
        {
            c = 0;
#pragma omp atomic
            misaligned += ((uintptr_t)&c % 64 != 0) + ((uintptr_t)d % 32 != 0) + c;
        }
    }
#pragma omp target teams distribute parallel for private(ordered) firstprivate(scale) map(tofrom: misaligned) \
    allocate(align(32), allocator(omp_thread_mem_alloc): ordered) allocate(allocator(omp_thread_mem_alloc), align(64): scale)
    for (int i = 0; i < N; ++i) {
        ordered = (int)((uintptr_t)&ordered % 32);
        scale += ordered;
#pragma omp atomic
        misaligned += ordered + (int)((uintptr_t)&scale % 64);
    }
#pragma omp target map(tofrom: ordered)
    {
        omp_depend_t first;
#pragma omp depobj(first) depend(out: ordered)
#pragma omp task depend(depobj: first) shared(ordered)
        ordered = 1;
#pragma omp depobj(first) update(in)
#pragma omp task depend(depobj: first) shared(ordered)
        ordered += ordered;
#pragma omp taskwait
#pragma omp depobj(first) destroy
    }
    CHECK(a[N - 1] == 2 * (N - 1) && misaligned == 0 && ordered == 2);
    printf("%d %d\n", a[N - 1], ordered);
    return CHECK_RESULT();
}
