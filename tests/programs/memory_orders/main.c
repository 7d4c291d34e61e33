/* requires atomic_default_mem_order: every order that atomics of a unit can have. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "../check.h"

int count_acq_rel(int), count_acquire(int), count_release(int), count_relaxed(int);

int main(void)
{
    CHECK(count_acq_rel(100) == 300 && count_acquire(10) == 30 && count_release(20) == 60 && count_relaxed(30) == 90);
    return CHECK_RESULT();
}
