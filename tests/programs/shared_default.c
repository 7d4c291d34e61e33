/* shared and default: explicit sharing, default(none) with everything listed, default(shared). */
#include "check.h"

#include <omp.h>

#define N 90

static int global_scale = 3;

int main(void)
{
    int a[N], count = 0, limit = N, hits[64] = {0};

#pragma omp target teams distribute parallel for default(none) shared(a) firstprivate(limit, global_scale)
    for (int i = 0; i < limit; ++i)
        a[i] = i * global_scale;
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 3 * i);

#pragma omp target parallel default(none) shared(hits) num_threads(64)
    {
        int mine = omp_get_thread_num();
        hits[mine] = mine + 1;
    }
    CHECK(hits[0] == 1);

#pragma omp target parallel for default(shared) map(tofrom: count, a)
    for (int i = 0; i < limit; ++i) {
        a[i] += 1;
#pragma omp atomic
        count += a[i] % 2;
    }
    printf("%d\n", count);

    /* Sharing inside a region: the threads see one variable of the target region. */
    int result = 0;
#pragma omp target map(from: result)
    {
        int sum = 0, weight = 2;
#pragma omp parallel default(none) shared(sum) firstprivate(weight) num_threads(8)
        {
#pragma omp atomic
            sum += weight;
            weight = 0;
#pragma omp barrier
#pragma omp single
            sum += 1000;
        }
        result = sum * 10 + weight;
    }
    CHECK(result % 20 == 2 && result >= 10022 && result <= 10162);

    int shared_by_teams = 0;
#pragma omp target teams distribute parallel for shared(shared_by_teams) map(tofrom: shared_by_teams)
    for (int i = 0; i < limit; ++i) {
#pragma omp atomic
        shared_by_teams += i;
    }
    printf("%d\n", shared_by_teams);
    return CHECK_RESULT();
}
