/* target teams distribute: iterations over the teams, without parallelism inside and with a loop nest inside. */
#include "check.h"

#define ROWS 37
#define COLUMNS 53

int main(void)
{
    static int m[ROWS][COLUMNS];
    int row_sum[ROWS], visits[ROWS] = {0};
    long total = 0;

    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            m[i][j] = i * 100 + j;

#pragma omp target teams distribute map(to: m) map(from: row_sum) map(tofrom: visits)
    for (int i = 0; i < ROWS; ++i) {
        int sum = 0;
        for (int j = 0; j < COLUMNS; ++j)
            sum += m[i][j];
        row_sum[i] = sum;
        visits[i] += 1;
    }
    for (int i = 0; i < ROWS; ++i) {
        CHECK(visits[i] == 1);
        CHECK(row_sum[i] == COLUMNS * 100 * i + COLUMNS * (COLUMNS - 1) / 2);
    }

#pragma omp target teams distribute reduction(+: total) num_teams(5)
    for (int i = 0; i < ROWS; ++i)
        total += row_sum[i];
    printf("%ld\n", total);

    /* The team's sequential part may hold a parallel loop of its own. */
#pragma omp target teams distribute map(tofrom: m)
    for (int i = 0; i < ROWS; ++i) {
        int scale = i % 3;
#pragma omp parallel for
        for (int j = 0; j < COLUMNS; ++j)
            m[i][j] = m[i][j] * scale + i;
    }
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            CHECK(m[i][j] == (i * 100 + j) * (i % 3) + i);
    return CHECK_RESULT();
}
