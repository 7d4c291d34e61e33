// The allocate clause: private copies of scalars and arrays with an allocator. The directive, for variables of a region.
// reference: -Wno-unknown-pragmas
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
    int teams = 0;
#pragma omp target teams num_teams(4) thread_limit(32) map(tofrom: teams)
    {
        int count = 0, all[4];
#pragma omp allocate(count, all) allocator(omp_pteam_mem_alloc)
#pragma omp parallel for
        for (int i = 0; i < 4; ++i) {
            int own = i;
#pragma omp allocate(own) allocator(omp_thread_mem_alloc)
            all[i] = own;
#pragma omp atomic
            count += own;
        }
        if (count == 6 && all[3] == 3)
#pragma omp atomic
            teams += 1;
    }
    check("all teams", teams >= 1 && teams <= 4, 1);
    return report();
}
