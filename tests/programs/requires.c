/* requires: what holds anyway, and the default memory order of atomics. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#include <omp.h>

#ifndef REFERENCE /* gcc refuses one of them */
#pragma omp requires unified_address dynamic_allocators reverse_offload
#endif
#pragma omp requires atomic_default_mem_order(seq_cst)

int main(void)
{
    int data = 0, flag = 0, got = 0, total = 0;

#pragma omp target parallel num_threads(2) map(tofrom: data, flag, got)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp atomic write
            flag = 1;
        }
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            int ready = 0;
            while (!ready) {
#pragma omp atomic read
                ready = flag;
            }
            got = data;
        }
    }
    CHECK(got == 42);

#pragma omp parallel num_threads(4)
    {
#pragma omp atomic
        total += 1;
    }
    CHECK(total >= 1);
    return CHECK_RESULT();
}
