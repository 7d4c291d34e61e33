/* Expressions in clauses whose operators bind less strongly than what device code has around them. */
#include "check.h"

#include <omp.h>

#define N 40

int main(void)
{
    int who = 6, seen = -1, threads = 0, a[N] = {0}, b[N] = {0}, wrong = 0;

#pragma omp target parallel num_threads((who, 4)) map(tofrom : seen, threads)
    {
#pragma omp masked filter(who & 1 ? 3 : 1)
        seen = omp_get_thread_num();
#pragma omp masked filter(who & 0)
        threads = omp_get_num_threads();
    }
    CHECK(seen == (threads > 1 ? 1 : -1) && threads >= 1 && threads <= 4);

#pragma omp target teams distribute parallel for map(tofrom : a) dist_schedule(static, (who, 8)) schedule(static, who ? 2 : 1)
    for (int i = 0; i < N; i += who ? 2 : 1)
        a[i] += i;

#pragma omp target map(tofrom : b, wrong)
    {
        int sums[4] = {0};
#pragma omp parallel num_threads((1, 4)) if ((who, 1))
#pragma omp for schedule(static, (wrong, 3)) reduction(+ : sums[1 : 2])
        for (int i = 0; i < N; ++i) {
            b[i] += i;
            sums[1 + i % 2] += 1;
        }
        wrong += sums[1] != N / 2 || sums[2] != N / 2 || sums[0] || sums[3];
#pragma omp task final((wrong, 1))
        wrong += !omp_in_final();
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == (i % 2 ? 0 : i) && b[i] == i);
    CHECK(wrong == 0);
    return CHECK_RESULT();
}
