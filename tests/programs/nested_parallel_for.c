/* parallel for inside target, target teams and target teams distribute, between sequential statements and in loops. */
#include "check.h"

#define N 120

int main(void)
{
    int a[N], m[10][N], steps = 5, sum = 0;

#pragma omp target map(from: a)
    {
        int base = 1;
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            a[i] = base + i;
        base = a[N - 1];
#pragma omp parallel for num_threads(3) schedule(static, 2)
        for (int i = 0; i < N; ++i)
            a[i] += base;
    }
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == 1 + i + N);

    /* A sequential loop around a parallel one, as in an iteration over time. */
#pragma omp target map(tofrom: a) map(tofrom: sum)
    {
        for (int step = 0; step < steps; ++step) {
            int odd = step % 2;
#pragma omp parallel for
            for (int i = 1; i < N - 1; ++i)
                if (i % 2 == odd)
                    a[i] = a[i - 1] + a[i + 1];
            if (odd)
                sum += a[1] % 1000;
        }
    }
    int expected[N], expected_sum = 0;
    for (int i = 0; i < N; ++i)
        expected[i] = 1 + i + N;
    for (int step = 0; step < steps; ++step) {
        for (int i = 1; i < N - 1; ++i)
            if (i % 2 == step % 2)
                expected[i] = expected[i - 1] + expected[i + 1];
        if (step % 2)
            expected_sum += expected[1] % 1000;
    }
    CHECK(sum == expected_sum);
    for (int i = 0; i < N; ++i)
        CHECK(a[i] == expected[i]);

#pragma omp target teams distribute map(from: m)
    for (int i = 0; i < 10; ++i) {
        int row[N];
#pragma omp parallel for
        for (int j = 0; j < N; ++j)
            row[j] = i * j;
        int shift = row[1] + row[2];
#pragma omp parallel for
        for (int j = 0; j < N; ++j)
            m[i][j] = row[N - 1 - j] + shift;
    }
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < N; ++j)
            CHECK(m[i][j] == i * (N - 1 - j) + 3 * i);

    /* The iteration variable belongs to the loop, also when it is declared outside. */
    int i = 7, outside = 0;
#pragma omp target map(from: outside) map(tofrom: a) firstprivate(i)
    {
        int before = i;
#pragma omp parallel for
        for (i = 0; i < N; ++i)
            a[i] = -i;
        outside = before;
    }
    CHECK(outside == 7 && i == 7 && a[N - 1] == 1 - N);
    return CHECK_RESULT();
}
