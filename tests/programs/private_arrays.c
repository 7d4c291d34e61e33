/* private and firstprivate arrays, structures and variable-length arrays, on target and inside regions. */
#include "check.h"

#define N 100

struct state {
    int a;
    double b[4];
};

static int run(int n)
{
    int out[N], fixed[5] = {1, 2, 3, 4, 5}, vla[n], wide[n][3], wrong = 0;
    struct state s = {3, {1, 2, 3, 4}};

    for (int i = 0; i < n; ++i) {
        vla[i] = i;
        for (int j = 0; j < 3; ++j)
            wide[i][j] = 10 * i + j;
    }
#pragma omp target teams distribute parallel for private(fixed, s) map(from: out)
    for (int i = 0; i < N; ++i) {
        fixed[i % 5] = i;
        s.a = i;
        s.b[1] = i;
        out[i] = fixed[i % 5] + s.a + (int)s.b[1];
    }
    for (int i = 0; i < N; ++i)
        wrong += out[i] != 3 * i;

#pragma omp target parallel for firstprivate(fixed, s) map(from: out)
    for (int i = 0; i < N; ++i)
        out[i] = fixed[i % 5] + s.a + (int)s.b[i % 4];
    for (int i = 0; i < N; ++i)
        wrong += out[i] != i % 5 + 1 + 3 + i % 4 + 1;

#pragma omp target parallel for firstprivate(vla, wide) map(from: out)
    for (int i = 0; i < N; ++i) {
        vla[i % n] += 1;
        wide[i % n][2] += 1;
        out[i] = vla[i % n] - wide[i % n][2] + wide[i % n][1];
        vla[i % n] -= 1;
        wide[i % n][2] -= 1;
    }
    for (int i = 0; i < N; ++i)
        wrong += out[i] != i % n - 1;
    wrong += vla[2] != 2 || wide[1][2] != 12;

#pragma omp target parallel for private(wide) map(from: out)
    for (int i = 0; i < N; ++i) {
        wide[i % n][i % 3] = i;
        out[i] = wide[i % n][i % 3];
    }
    for (int i = 0; i < N; ++i)
        wrong += out[i] != i;

#pragma omp target map(from: out)
    {
        int local[n];
        for (int i = 0; i < n; ++i)
            local[i] = 1;
#pragma omp parallel for firstprivate(local)
        for (int i = 0; i < N; ++i) {
            local[i % n] += i;
            out[i] = local[i % n];
            local[i % n] -= i;
        }
        out[0] += local[0];
    }
    for (int i = 1; i < N; ++i)
        wrong += out[i] != i + 1;
    return wrong + (out[0] != 2);
}

int main(void)
{
    CHECK(run(7) == 0);
    CHECK(run(3) == 0);
    return CHECK_RESULT();
}
