/* linear with val and step, order with modifiers, nontemporal, uses_allocators in both spellings and with nowait. */
// reference: -Wno-unknown-pragmas
#include "check.h"

#ifdef _OPENMP
#include <omp.h>
#else
#include <stdlib.h>
#define omp_alloc(size, allocator) (int *)malloc(size)
#define omp_free(memory, allocator) free(memory)
typedef int omp_allocator_handle_t;
#endif

#define N 64

int main(void)
{
    int a[N], j = 0, k = 3, m = 5, q = 2, s = 0;
    double x = 1;
    float p[4] = {1, 2, 3, 4};

#pragma omp target parallel for simd linear(j: 2) linear(k: val, step(q)) map(from: a)
    for (int i = 0; i < N; i++) {
        a[i] = j + k;
        j += 2;
        k += q;
    }
    printf("%d %d %d\n", a[10], j, k);
#pragma omp target simd linear(val(m): q) map(from: a)
    for (int i = 0; i < N; i++) {
        a[i] = m;
        m += q;
    }
    printf("%d %d\n", a[10], m);
#pragma omp target map(tofrom: a, m)
#pragma omp parallel for linear(m: step(3), val)
    for (int i = 0; i < N; i++) {
        a[i] += m;
        m += 3;
    }
    printf("%d %d\n", a[10], m);
#pragma omp target teams distribute parallel for order(reproducible: concurrent) map(from: a)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp target parallel for simd order(unconstrained: concurrent) nontemporal(p) map(tofrom: p[0:4]) map(a)
    for (int i = 0; i < 4; i++)
        p[i] += a[i];
    printf("%g\n", p[3]);

    omp_allocator_handle_t al, al2, al3;
#ifdef _OPENMP
    omp_alloctrait_t traits[1] = {{omp_atk_alignment, 64}};
#endif
#pragma omp target uses_allocators(al(traits), omp_default_mem_alloc) map(tofrom: s) nowait
    {
        int *t = (int *)omp_alloc(16, al);
        t[0] = 3;
        s += t[0];
        omp_free(t, al);
    }
#pragma omp taskwait
#pragma omp target uses_allocators(traits(traits), memspace(omp_default_mem_space): al2; omp_default_mem_alloc) \
    map(tofrom: s) allocate(al2: x) private(x)
    {
        x = 4;
        s += x;
    }
#pragma omp target uses_allocators(memspace(omp_default_mem_space): al3) uses_allocators(omp_cgroup_mem_alloc) \
    map(tofrom: s) firstprivate(x) allocate(align(64), allocator(al3): x)
    {
        x += s == 7;
        s += x;
    }
    printf("%d\n", s > 8);
    return CHECK_RESULT();
}
