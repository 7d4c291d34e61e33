/* allocate and uses_allocators: predefined allocators, allocators of the region's own, omp_alloc and the rest inside. */
// reference: -Wno-unknown-pragmas
#include "data.h"

#include <stdint.h>

#ifndef _OPENMP
#define omp_get_team_num() 0
#include <stdlib.h>
#define omp_alloc(size, allocator) malloc(size)
#define omp_free(memory, allocator) free(memory)
#define omp_aligned_alloc(alignment, size, allocator) aligned_alloc(alignment, size)
#define omp_calloc(count, size, allocator) calloc(count, size)
#define omp_aligned_calloc(alignment, count, size, allocator) calloc(count, size)
#define omp_realloc(memory, size, to, from) realloc(memory, size)
#else
#include <omp.h>
#endif

#ifdef _OPENMP
#define ALIGNED(address, to) CHECK((uintptr_t)(address) % (to) == 0)
#else
#define ALIGNED(address, to) ((void)(address))
#endif

static char before, placed[3];
static double total, other = 2;
#pragma omp allocate(placed) allocator(omp_default_mem_alloc) align(128)
#pragma omp allocate(total, other) align(64)

/* Arrays whose length only the run knows are aligned, too. */
static void variable_lengths(int n)
{
    int given[n], wrong = 0;
    for (int i = 0; i < n; ++i)
        given[i] = i;
#pragma omp target firstprivate(given) allocate(allocator(omp_default_mem_alloc), align(128) : given) map(tofrom : wrong)
    {
        double local[n];
#pragma omp allocate(local) align(256)
        _Alignas(64) char bytes[n];
        for (int i = 0; i < n; ++i)
            local[i] = bytes[i] = given[i]++;
#ifdef _OPENMP
        wrong = (uintptr_t)given % 128 != 0 || (uintptr_t)local % 256 != 0 || (uintptr_t)bytes % 64 != 0;
#endif
        wrong += local[n - 1] != n - 1 || bytes[n - 1] != n - 1 || given[n - 1] != n;
    }
    CHECK(!wrong);
}

static void directive(void)
{
    int result[8] = {0}, wrong = 0;
    ALIGNED(placed, 128);
    ALIGNED(&other, 64);
    before = placed[0];
    total = other + before;
    CHECK(total == 2);
#pragma omp target teams distribute parallel for map(tofrom : result)
    for (int i = 0; i < 8; ++i) {
        int t;
#pragma omp allocate(t) allocator(omp_thread_mem_alloc)
        t = i;
        result[i] = t + 1;
    }
    CHECK(result[0] == 1 && result[7] == 8);
#pragma omp target map(tofrom : result, wrong)
    {
        char pad = 1, block[5], *const last = &block[4], c = 2;
#pragma omp allocate(block, c) allocator(omp_default_mem_alloc) align(32)
        *last = (char)(pad + c);
        result[0] = block[4];
#ifdef _OPENMP
        wrong = (uintptr_t)block % 32 != 0 || (uintptr_t)&c % 32 != 0;
#endif
    }
    CHECK(result[0] == 3 && !wrong);
    variable_lengths(7);
}

static void functions(void)
{
    int sum = 0, wrong = 0;
#pragma omp target map(tofrom : sum, wrong)
    {
        int *a = omp_aligned_alloc(256, 1024, omp_default_mem_alloc);
        int *b = omp_calloc(100, sizeof(int), omp_default_mem_alloc);
        int *c = omp_aligned_calloc(64, 16, sizeof(int), omp_default_mem_alloc);
#ifdef _OPENMP
        wrong = (uintptr_t)a % 256 != 0 || (uintptr_t)c % 64 != 0;
#endif
        for (int i = 0; i < 100; ++i)
            b[i] += i;
        b = omp_realloc(b, 200 * sizeof(int), omp_default_mem_alloc, omp_default_mem_alloc);
        for (int i = 0; i < 100; ++i)
            sum += b[i] + c[i % 16];
        omp_free(a, omp_default_mem_alloc);
        omp_free(b, omp_default_mem_alloc);
        omp_free(c, omp_default_mem_alloc);
        omp_free((void *)0, omp_default_mem_alloc);
    }
    CHECK(sum == 4950 && !wrong);
}

#ifdef _OPENMP
/* What an allocator's traits ask for is so on the device too. */
static void traits(void)
{
    const omp_alloctrait_t t[] = {
        {omp_atk_alignment, 256}, {omp_atk_access, omp_atv_default}, {omp_atk_fallback, omp_atv_null_fb}, {omp_atk_pool_size, 4096}};
    omp_allocator_handle_t mine = omp_null_allocator;
    int wrong = 0, plain = 0;
#pragma omp target uses_allocators(mine(t)) map(tofrom : wrong)
    for (int i = 0; i < 5; ++i) {
        char *p = omp_alloc(8, mine), *q = omp_aligned_alloc(1024, 8, mine), *r = omp_calloc(2, 3, mine);
        wrong += (uintptr_t)p % 256 != 0 || (uintptr_t)q % 1024 != 0 || (uintptr_t)r % 256 != 0 || r[5] != 0;
        wrong += omp_alloc(5000, mine) != (void *)0;
        omp_free(p, mine);
        omp_free(q, mine);
        omp_free(r, mine);
    }
    CHECK(!wrong);
#pragma omp target map(tofrom : wrong) map(from : plain)
    {
        const omp_alloctrait_t own[2] = {{omp_atk_alignment, 128}, {omp_atk_pool_size, 64}};
        const omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 2, own);
        const omp_allocator_handle_t none = omp_init_allocator(omp_large_cap_mem_space, 0, own);
        char *p = omp_alloc(1000, aligned), *q = omp_alloc(8, none);
        wrong += (uintptr_t)p % 128 != 0;
        p[999] = q[7] = 3;
        plain = p[999] + q[7];
        omp_free(p, aligned);
        omp_free(q, none);
        omp_destroy_allocator(aligned);
        omp_destroy_allocator(none);
    }
    CHECK(!wrong && plain == 6);
}
#endif

int main(void)
{
    directive();
    functions();
#ifdef _OPENMP
    traits();
#endif
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
