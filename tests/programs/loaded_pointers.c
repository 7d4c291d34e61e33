/* Pointers that kernels load from mapped structures: loops inside may share the grid where the sections behind them do not
   overlap, and run in order where they do. */
#include "check.h"

#include <stdlib.h>

#define N 40
#define M 25

struct field {
    int rows;
    double *from, *to;
    int *first;
};

struct inner {
    struct field field;
    int more;
};

/* A row is its own recurrence where both pointers lead to the same elements. */
static void by_pointer(struct field *f, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom: f->from[0:n*(m+1)], f->to[0:n*(m+1)])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            f->to[i * (m + 1) + j + 1] = f->from[i * (m + 1) + j] + 1;
}

static void with_the_structure(struct field *f, int n, int m)
{
#pragma omp target teams distribute parallel for \
    map(to: f[0:1]) map(tofrom: f->from[0:n*(m+1)], f->to[0:n*(m+1)])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            f->to[i * (f->rows + 1) + j + 1] = f->from[i * (f->rows + 1) + j] + 1;
}

static void in_a_member(struct inner *f, int n, int m)
{
#pragma omp target teams distribute parallel for \
    map(tofrom: f->field.from[0:n*(m+1)], f->field.to[0:n*(m+1)])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            f->field.to[i * (m + 1) + j + 1] = f->field.from[i * (m + 1) + j] + 1;
}

/* Parts of one pointer's memory. */
static void of_one_array(struct field *f, int n, int m)
{
#pragma omp target teams distribute parallel for map(tofrom: f->to[0:n*(m+1)])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            f->to[i * (m + 1) + j + 1] = f->to[i * (m + 1) + j] + 1;
}

/* The bounds of a loop are behind another pointer. */
static void with_bounds(struct field *f, int n, int total)
{
#pragma omp target teams distribute parallel for \
    map(to: f->first[0:n+1], f->from[0:total]) map(tofrom: f->to[0:total])
    for (int i = 0; i < n; i++)
        for (int k = f->first[i]; k < f->first[i + 1]; k++)
            f->to[k] = 2 * f->from[k] + i;
}

/* The region changes what it would find the elements by. */
static void changed(struct field *f, double *other, int n, int m)
{
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(1) \
    map(tofrom: f[0:1], f->to[0:n*m]) map(to: other[0:1])
    for (int i = 0; i < n; i++) {
        f->rows = n;
        for (int j = 0; j < m; j++)
            f->to[i * m + j] = f->rows * 100 + j + other[0];
    }
}

static int is_recurrence(const double *x, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= m; j++)
            if (x[i * (m + 1) + j] != 3 + j)
                return 0;
    return 1;
}

static int is_step(const double *x, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j <= m; j++)
            if (x[i * (m + 1) + j] != 4)
                return 0;
    return 1;
}

static void fill(double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = 3;
}

int main(void)
{
    const int count = N * (M + 1);
    double *a = (double *)malloc(sizeof(double) * count), *b = (double *)malloc(sizeof(double) * count);
    int first[N + 1], sorted = 1;
    struct field apart = {M, a, b, first}, same = {M, b, b, first};
    struct inner deep_apart = {{M, a, b, first}, 0}, deep_same = {{M, b, b, first}, 0};
    fill(a, count);
    fill(b, count), by_pointer(&apart, N, M);
    CHECK(is_step(b, N, M));
    fill(b, count), by_pointer(&same, N, M);
    CHECK(is_recurrence(b, N, M));
    fill(b, count), with_the_structure(&apart, N, M);
    CHECK(is_step(b, N, M));
    fill(b, count), with_the_structure(&same, N, M);
    CHECK(is_recurrence(b, N, M));
    fill(b, count), in_a_member(&deep_apart, N, M);
    CHECK(is_step(b, N, M));
    fill(b, count), in_a_member(&deep_same, N, M);
    CHECK(is_recurrence(b, N, M));
    fill(b, count), of_one_array(&apart, N, M);
    CHECK(is_recurrence(b, N, M));
    for (int i = 0; i <= N; i++)
        first[i] = i * (i - 1) / 2;
    with_bounds(&apart, N, first[N]);
    for (int i = 0; i < N; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            sorted &= b[k] == 6 + i;
    CHECK(sorted);
    changed(&apart, a, N, M);
    CHECK(apart.rows == N && b[M] == N * 100 + 3 && b[N * M - 1] == N * 100 + M - 1 + 3);
    free(a);
    free(b);
    return CHECK_RESULT();
}
