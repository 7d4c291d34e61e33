/* reduction on constructs inside a region: parallel, parallel for, for; on target parallel and target teams. */
#include "check.h"

#include <omp.h>

#define N 250

/* Parts of arrays: whole rows, a row, what stands behind an element, and lengths that are constants by name. */
enum { ROWS = 3, COLUMNS = 5, BEHIND = 2 };

static void parts(void)
{
    int rows[ROWS + 2][COLUMNS] = {{1}, {1}, {1}}, row[ROWS][COLUMNS] = {{2}, {2}}, rest[ROWS + BEHIND] = {3, 3, 3, 3, 3};
    int beside[2] = {7, 7};
#pragma omp target teams distribute parallel for reduction(+ : rows[1 : ROWS][0 : COLUMNS], row[1])
    for (int i = 0; i < 100; ++i) {
        rows[1 + i % ROWS][i % COLUMNS] += i;
        row[1][i % COLUMNS] += 1;
    }
#pragma omp target teams distribute parallel for reduction(+ : rest[BEHIND:]) reduction(max : beside[:1])
    for (int i = 0; i < 100; ++i) {
        rest[BEHIND + i % ROWS] += i;
        beside[0] = beside[0] < i ? i : beside[0];
    }
    CHECK(rows[0][0] == 1 && rows[4][0] == 0 && rows[1][0] == 1 + 315 && rows[3][4] == 309);
    CHECK(row[0][0] == 2 && row[1][0] == 22 && row[1][4] == 20 && row[2][0] == 0);
    CHECK(rest[0] == 3 && rest[1] == 3 && rest[2] == 3 + 1683 && rest[4] == 3 + 1650);
    CHECK(beside[0] == 99 && beside[1] == 7);
}

int main(void)
{
    int a[N], total = 0, largest = 0, threads = 0;
    double mean = 0;

    for (int i = 0; i < N; ++i)
        a[i] = (i * 37) % 101;

#pragma omp target map(to: a) map(tofrom: total, largest, mean, threads)
    {
        int sum = 10, maximum = -1, count = 0;
#pragma omp parallel for reduction(+: sum) reduction(max: maximum)
        for (int i = 0; i < N; ++i) {
            sum += a[i];
            if (a[i] > maximum)
                maximum = a[i];
        }
        total = sum;
        largest = maximum;

#pragma omp parallel num_threads(8) reduction(+: count)
        {
            count += 1;
            if (omp_get_thread_num() == 0)
                threads = omp_get_num_threads();
        }
        threads -= count;

        double product = 1, average = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp for reduction(+: average)
            for (int i = 0; i < N; ++i)
                average += a[i];
#pragma omp for reduction(*: product) schedule(static, 3)
            for (int i = 0; i < 20; ++i)
                product *= i % 2 ? 2 : 0.5;
        }
        mean = average / N * product;
    }
    CHECK(largest == 100 && threads == 0);
    printf("%d %.4f\n", total, mean);

    /* Per team. */
    int sums[40];
#pragma omp target teams distribute map(from: sums) map(to: a)
    for (int k = 0; k < 40; ++k) {
        int sum = 0;
#pragma omp parallel for reduction(+: sum)
        for (int i = 0; i < k; ++i)
            sum += a[i];
        sums[k] = sum;
    }
    int expected = 0;
    for (int k = 0; k < 40; ++k) {
        CHECK(sums[k] == expected);
        expected += a[k];
    }

    /* Over teams and threads at once, and a sequential reduction in a simd loop. */
    int over_all = 0;
#pragma omp target teams distribute reduction(+: over_all) map(to: sums)
    for (int k = 0; k < 40; ++k) {
        int part = 0;
#pragma omp simd reduction(+: part)
        for (int i = 0; i <= k; ++i)
            part += sums[i];
        over_all += part;
    }
    printf("%d\n", over_all);
    parts();
    return CHECK_RESULT();
}
