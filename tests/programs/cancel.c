/* cancel and cancellation point in regions: cancel-var is false on devices, so that everything runs to its end. */
#include "check.h"

#include <omp.h>

#define N 100

int main(void)
{
    int sums[5] = {0}, found = -1, sections = 0;

#pragma omp target parallel
#pragma omp for reduction(+: sums[0:1])
    for (int i = 0; i < N; ++i) {
#pragma omp cancellation point for
        sums[0] += i;
#pragma omp cancel for if(i == 50)
    }
#pragma omp target parallel num_threads(4) map(tofrom: sums)
    {
#pragma omp atomic
        sums[1] += 1;
#pragma omp cancel parallel if(omp_get_thread_num() == 1)
#pragma omp atomic
        sums[2] += 1;
#pragma omp cancellation point parallel
    }
#pragma omp target map(tofrom: sections, found)
    {
#pragma omp parallel
#pragma omp sections reduction(+: sections)
        {
            {
                sections += 1;
#pragma omp cancel sections
            }
#pragma omp section
            {
#pragma omp cancellation point sections
                sections += 2;
            }
        }
#pragma omp taskgroup
        {
#pragma omp task shared(found)
            {
                found = 3;
#pragma omp cancel taskgroup
#pragma omp cancellation point taskgroup
            }
        }
    }
    CHECK(sums[0] == N * (N - 1) / 2 && sums[1] == sums[2] && sections == 3 && found == 3);
    printf("%d %d %d\n", sums[0], sections, found);
    return CHECK_RESULT();
}
