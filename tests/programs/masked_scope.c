/* masked with filter, parallel masked and parallel master, scope, single with copyprivate. */
#include "check.h"

#include <omp.h>

int main(void)
{
    int count = 0, who = -1, total = 0, threads = 0, wrong = 0, ran = 0;

#pragma omp target parallel num_threads(4) map(tofrom: count, who, threads)
    {
#pragma omp masked filter(omp_get_num_threads() - 1)
        {
            count += 1;
            who = omp_get_thread_num();
            threads = omp_get_num_threads();
        }
    }
    CHECK(count == 1 && who == threads - 1);

#pragma omp target map(tofrom: ran)
    {
#pragma omp parallel masked
        ran += 1;
#pragma omp parallel master num_threads(3)
        ran += 10;
#pragma omp parallel masked filter(0) firstprivate(threads)
        {
            threads = 100;
            ran += threads;
        }
    }
    CHECK(ran == 111);

#pragma omp target parallel num_threads(4) map(tofrom: total, threads, wrong)
    {
        int value = -1, pair[2] = {0, 0};
        double more = 0;
#pragma omp scope reduction(+: total)
        {
            total += 2;
        }
        if (total != 2 * omp_get_num_threads()) {
#pragma omp atomic
            wrong += 1;
        }
#pragma omp scope nowait private(value)
        value = omp_get_thread_num();

#pragma omp single copyprivate(value, pair, more)
        {
            value = 17;
            pair[1] = 4;
            more = 0.5;
            threads = omp_get_num_threads();
        }
        if (value != 17 || pair[1] != 4 || more != 0.5) {
#pragma omp atomic
            wrong += 1;
        }
#pragma omp single copyprivate(value)
        value = 18;
        if (value != 18) {
#pragma omp atomic
            wrong += 1;
        }
    }
    CHECK(total == 2 * threads && wrong == 0);
    return CHECK_RESULT();
}
