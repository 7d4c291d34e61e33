/* Regions inside host parallel constructs: what binds to a team binds to the region's own, on device and host alike. */
#include "check.h"

#define N 64

int main(void)
{
    int sums[4] = {0}, singles[4] = {0}, last[4] = {0}, parts[4] = {0}, total = 0;
#pragma omp parallel for num_threads(4) reduction(+ : total)
    for (int t = 0; t < 4; ++t) {
        int sum = 0, count = 0, seen = -1, sections = 0;
#pragma omp target map(tofrom : sum, count, seen, sections)
        {
#pragma omp for reduction(+ : sum) lastprivate(seen)
            for (int i = 0; i < N; ++i) {
                sum += i + t;
                seen = i;
            }
#pragma omp single
            count += 1;
#pragma omp barrier
#pragma omp sections reduction(+ : sections)
            {
#pragma omp section
                sections += 1;
#pragma omp section
                sections += 10;
            }
#pragma omp masked
            count += 1;
        }
        sums[t] = sum;
        singles[t] = count;
        last[t] = seen;
        parts[t] = sections;
#pragma omp target map(tofrom : total)
#pragma omp for reduction(+ : total)
        for (int i = 0; i < N; ++i)
            total += 1;
    }
    for (int t = 0; t < 4; ++t)
        CHECK(sums[t] == N * (N - 1) / 2 + t * N && singles[t] == 2 && last[t] == N - 1 && parts[t] == 11);
    CHECK(total == 4 * N);
    return CHECK_RESULT();
}
