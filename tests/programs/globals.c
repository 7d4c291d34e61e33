/* File-scope variables in regions: arrays, structures, pointers, scalars in map clauses, statics, extern declarations. */
#include "check.h"

#include <stdlib.h>

#define N 45

int values[N];
static float matrix[3][N];
static struct { int n; double total; } summary = {N, 0};
double *heap;
extern int limit;
static const int offset = 11;
int mapped_scalar = 4;

static void fill(void)
{
#pragma omp target teams distribute parallel for map(from: values)
    for (int i = 0; i < limit; ++i)
        values[i] = i + offset;
}

static void accumulate(void)
{
#pragma omp target map(tofrom: summary) map(to: values)
    for (int i = 0; i < summary.n; ++i)
        summary.total += values[i];
}

int limit = N;

int main(void)
{
    fill();
    for (int i = 0; i < N; ++i)
        CHECK(values[i] == i + 11);
    accumulate();
    CHECK(summary.total == N * 11 + N * (N - 1) / 2);

#pragma omp target teams distribute parallel for collapse(2)
    for (int r = 0; r < 3; ++r)
        for (int i = 0; i < limit; ++i)
            matrix[r][i] = (float)(r * i);
    CHECK(matrix[2][44] == 88.0f);

    heap = (double *)malloc(N * sizeof *heap);
#pragma omp target enter data map(alloc: heap[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        heap[i] = 0.5 * i;
#pragma omp target exit data map(from: heap[0:N])
    CHECK(heap[44] == 22.0);

#pragma omp target map(tofrom: mapped_scalar)
    mapped_scalar *= limit;
    CHECK(mapped_scalar == 180);

    /* Present already: an explicit map keeps the storage, an implicit firstprivate does not look at it. */
    int seen = 0;
#pragma omp target data map(tofrom: mapped_scalar)
    {
#pragma omp target map(mapped_scalar)
        mapped_scalar += 1;
#pragma omp target map(from: seen) map(mapped_scalar)
        seen = mapped_scalar;
    }
    CHECK(seen == 181 && mapped_scalar == 181);
    free(heap);
    return CHECK_RESULT();
}
