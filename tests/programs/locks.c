/* Locks of every kind of memory: a thread's own, a team's, mapped; and a volatile value taken along. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"
#include <omp.h>

#ifdef REFERENCE /* libgomp lacks them */
#define omp_init_lock_with_hint(lock, hint) omp_init_lock(lock)
#define omp_init_nest_lock_with_hint(lock, hint) omp_init_nest_lock(lock)
#endif

#define N 64

/* Types of omp.h that device code has no use for are types there, too. */
static int sizes(void)
{
    int same = 0;
    const size_t host[] = {sizeof(omp_depend_t), sizeof(omp_event_handle_t), sizeof(omp_pause_resource_t), sizeof(omp_alloctrait_t)};
#pragma omp target map(from : same) map(to : host)
    {
        omp_depend_t depend;
        omp_event_handle_t event = 0, *where = &event;
        omp_pause_resource_t pause = omp_pause_soft, *how = &pause;
        omp_alloctrait_t trait;
        omp_lock_hint_t hint = omp_lock_hint_none;
        omp_uintptr_t number = 3;
        same = host[0] == sizeof depend && host[1] == sizeof event && host[2] == sizeof *how && host[3] == sizeof trait;
        *where = (omp_event_handle_t)number;
        *how = omp_pause_hard;
        same += event == (omp_event_handle_t)3 && pause == omp_pause_hard && hint == 0;
    }
    return same;
}

int main(void)
{
    int wrong = 0, sum = 0, depths = 0;
    volatile int one = 1;
    omp_lock_t shared;

#pragma omp target map(from : wrong)
    {
        omp_lock_t lock;
        omp_nest_lock_t nest;
        omp_init_lock(&lock);
        omp_set_lock(&lock);
        wrong = omp_test_lock(&lock) != 0;
        omp_unset_lock(&lock);
        wrong += !omp_test_lock(&lock);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
        omp_init_lock_with_hint(&lock, omp_sync_hint_uncontended);
        omp_destroy_lock(&lock);
        omp_init_nest_lock_with_hint(&nest, omp_sync_hint_contended | omp_sync_hint_nonspeculative);
        omp_set_nest_lock(&nest);
        wrong += omp_test_nest_lock(&nest) != 2;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        wrong += omp_test_nest_lock(&nest) != 1;
        omp_unset_nest_lock(&nest);
        omp_destroy_nest_lock(&nest);
    }
    CHECK(wrong == 0);

#pragma omp target map(tofrom : sum) map(from : depths) map(alloc : shared)
    {
        omp_nest_lock_t team;
        depths = 0;
        omp_init_lock(&shared);
        omp_init_nest_lock(&team);
#pragma omp parallel num_threads(4)
        for (int i = 0; i < N; ++i) {
            /* A GPU's threads that wait in one warp may only try. */
            for (int done = 0; !done;)
                if (omp_test_nest_lock(&team)) {
                    depths += omp_test_nest_lock(&team) == 2;
                    omp_unset_nest_lock(&team);
                    omp_unset_nest_lock(&team);
                    done = 1;
                }
            for (int done = 0; !done;)
                if (omp_test_lock(&shared)) {
                    sum += one;
                    omp_unset_lock(&shared);
                    done = 1;
                }
        }
        depths = depths == sum && sum % N == 0;
    }
    CHECK(depths == 1);
    CHECK(sizes() == 2);
    return CHECK_RESULT();
}
