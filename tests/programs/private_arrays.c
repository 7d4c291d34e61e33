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
    wrong += out[0] != 2;

    /* mapped by the region, private inside */
#pragma omp target map(tofrom: wrong)
    {
#pragma omp parallel num_threads(4) firstprivate(vla, wide) reduction(+: wrong)
        {
            wide[1][1] += ++vla[1];
            wrong += vla[1] != 2 || wide[1][1] != 13;
        }
        wrong += vla[1] != 1;
    }
    return wrong;
}

/* &array, of arrays that are mapped, private, or have a length that only the run knows. */
static int whole(int n)
{
    int list[3] = {1, 2, 3}, grid[2][3] = {{0}}, vla[n], wide[n][3], own[3], copied[2] = {4, 5};
    long off[8] = {0}, sizes[3] = {0};
    void *at[2];

#pragma omp target map(tofrom: off, sizes, grid, list[1:2]) map(from: at) map(alloc: vla, wide) private(own) \
    firstprivate(copied)
    {
        int(*rows)[2][3] = &grid, (*row)[3] = &grid[1];
        (*rows)[1][2] = (*&list)[2];
        (*row)[0] = 7;
        at[0] = &list;
        at[1] = list;
        off[0] = (char *)&grid - (char *)grid;
        off[1] = (char *)(&grid + 1) - (char *)grid;
        off[2] = (char *)(&list + 1) - (char *)list;
        off[3] = (char *)(&own + 1) - (char *)own;
        off[4] = (char *)(&copied + 1) - (char *)&copied[0];
        off[5] = (char *)&vla - (char *)vla;
        off[6] = (char *)(&vla + 1) - (char *)vla;
        off[7] = (char *)(&wide + 1) - (char *)wide;
        sizes[0] = sizeof *&vla;
        sizes[1] = sizeof *rows;
        sizes[2] = sizeof *&list;
    }
    const long one = sizeof(int);
    return off[0] || off[1] != 6 * one || off[2] != 3 * one || off[3] != 3 * one || off[4] != 2 * one || off[5] ||
           off[6] != n * one || off[7] != 3 * n * one || sizes[0] != n * one || sizes[1] != 6 * one ||
           sizes[2] != 3 * one || at[0] != at[1] || grid[1][2] != 3 || grid[1][0] != 7;
}

int main(void)
{
    CHECK(run(7) == 0);
    CHECK(run(3) == 0);
    CHECK(whole(5) == 0);
    return CHECK_RESULT();
}
