/* allocate and uses_allocators: predefined allocators, allocators of the region's own, omp_alloc inside. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#ifndef _OPENMP
#define omp_get_team_num() 0
#include <stdlib.h>
#define omp_alloc(size, allocator) malloc(size)
#define omp_free(memory, allocator) free(memory)
#else
#include <omp.h>
#endif

int main(void)
{
    int x = 5, y = 6, result[4] = {0};

#pragma omp target uses_allocators(omp_default_mem_alloc) allocate(omp_default_mem_alloc : x) firstprivate(x) map(from : result)
    {
        x += 10;
        result[0] = x;
    }
    CHECK(result[0] == 15);
#pragma omp target teams distribute parallel for private(y) allocate(y) map(tofrom : result)
    for (int i = 0; i < 4; ++i) {
        y = 10 * i;
        result[i] = y + 1;
    }
    CHECK(result[3] == 31);
#ifdef _OPENMP
    omp_allocator_handle_t mine;
    const omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_fallback, omp_atv_default_mem_fb}};
#endif
#pragma omp target map(tofrom : result) uses_allocators(mine(traits), omp_large_cap_mem_alloc)
    {
        int *p = omp_alloc(4 * sizeof *p, mine);
        int *q = omp_alloc(sizeof *q, omp_large_cap_mem_alloc);
        *q = 7;
        for (int i = 0; i < 4; ++i)
            p[i] = result[i] + *q;
        for (int i = 0; i < 4; ++i)
            result[i] = p[i];
        omp_free(p, mine);
        omp_free(q, omp_large_cap_mem_alloc);
    }
    CHECK(result[0] == 8 && result[3] == 38);
#pragma omp target map(tofrom : result) uses_allocators(memspace(omp_default_mem_space), traits(traits) : mine)
    {
        int *p = omp_alloc(sizeof *p, mine);
        *p = 100;
        result[1] = *p;
        omp_free(p, mine);
    }
    CHECK(result[1] == 100);
    return CHECK_RESULT();
}
