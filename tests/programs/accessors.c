/* Elements that functions find: loops inside may share the grid where each iteration has an element of its own. */
#include "check.h"

#define N 40
#define M 30

struct matrix {
    int stride;
    double *data;
};

static double *element(const struct matrix *m, int i, int j)
{
    const int at = i * m->stride + j;
    return m->data + at;
}

static double *shifted(const struct matrix *m, int i, int j)
{
    if (j > 3)
        --j;
    return element(m, i, j);
}

static int last_of(int n)
{
    int found = 0;
    for (int k = 0; k < n; k++)
        found = k;
    return found;
}

int main(void)
{
    static double to[N * M], from[N * M];
    struct matrix a = {M, to}, *const p = &a;
    for (int i = 0; i < N * M; i++)
        from[i] = i;
#pragma omp target teams distribute parallel for map(to: p[0:1], from) map(tofrom: p->data[0:N*M])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            *element(p, i, j) = from[i * M + M - 1 - j] + 1;
    for (int i = 0; i < N * M; i++)
        CHECK(to[i] == i / M * M + M - i % M);
    /* The last of two that have one element is the one that counts. */
#pragma omp target teams distribute parallel for map(to: p[0:1]) map(tofrom: p->data[0:N*M])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            *shifted(p, i, j) = j;
    for (int i = 0; i < N; i++)
        CHECK(to[i * M + 3] == 4 && to[i * M + 2] == 2 && to[i * M + M - 2] == M - 1);
    /* Each row adds up what is in front. */
#pragma omp target teams distribute parallel for map(to: p[0:1]) map(tofrom: p->data[0:N*M])
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M; j++)
            *element(p, i, j) = *element(p, i, last_of(j)) + 1;
    for (int i = 0; i < N; i++)
        CHECK(to[i * M + M - 1] == M - 1);
    return CHECK_RESULT();
}
