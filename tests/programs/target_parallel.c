/* target parallel: every thread of one team runs the region; target variables are shared among the threads. */
#include "check.h"

#include <omp.h>

int main(void)
{
    enum { MAX_THREADS = 16 };
    int size[MAX_THREADS] = {0}, square[MAX_THREADS] = {0}, count = 0, wrong = 0, offset = 3;

#pragma omp target parallel num_threads(MAX_THREADS) map(tofrom: size, square, count, wrong)
    {
        int thread = omp_get_thread_num();
        size[thread] = omp_get_num_threads();
        square[thread] = thread * thread + offset;
#pragma omp atomic
        count++;
        if (omp_get_team_num() != 0 || omp_get_num_teams() != 1) {
#pragma omp atomic
            wrong++;
        }
    }

    int threads = size[0];
    CHECK(threads >= 1 && threads <= MAX_THREADS);
    CHECK(count == threads);
    CHECK(wrong == 0);
    for (int t = 0; t < MAX_THREADS; ++t) {
        CHECK(size[t] == (t < threads ? threads : 0));
        CHECK(square[t] == (t < threads ? t * t + 3 : 0));
    }

    int sum = 0, inside = 0;
#pragma omp target parallel reduction(+: sum) map(from: inside)
    {
        sum += 1;
        if (omp_get_thread_num() == 0)
            inside = omp_get_num_threads();
    }
    CHECK(sum == inside && sum >= 1);
    return CHECK_RESULT();
}
