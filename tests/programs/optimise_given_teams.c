// Loops inside share the grid, where clauses say how many teams there are.
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, int m, double *a, const double *v)
{
    #pragma omp target teams distribute parallel for num_teams(4) thread_limit(32) map(tofrom: a[0:n*m]) map(to: v[0:m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i * m + j] = a[i * m + j] * 2 + v[j];
}

static void shift(int n, int m, int teams, double *a, const double *v)
{
    #pragma omp target teams distribute parallel for num_teams(teams) map(tofrom: a[0:n*m]) map(to: v[0:m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i * m + j] += v[j] - i;
}

static long count(int n, int m, const double *a)
{
    long found = 0;
    #pragma omp target teams distribute parallel for num_teams(3) reduction(+: found) map(to: a[0:n*m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            found += a[i * m + j] > 10;
    return found;
}

// Rows that warps move together, no more of them than the clauses have threads for.
static double sums(int n, int m, int teams, const double *a, double *y)
{
    double all = 0;
    #pragma omp target teams distribute parallel for num_teams(teams) thread_limit(64) map(to: a[0:n*m]) map(from: y[0:n])
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < m; ++j)
            sum += a[i * m + j] * (j % 3);
        y[i] = sum;
    }
    for (int i = 0; i < n; ++i)
        all += y[i] * (i % 5);
    return all;
}

// A team runs an iteration where its threads do not share the loop.
static int by_team(int n, int m, int *seen)
{
    int wrong = 0;
    #pragma omp target teams distribute num_teams(5) map(from: seen[0:n*m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            seen[i * m + j] = i;
    for (int i = 0; i < n * m; ++i)
        wrong += seen[i] != i / m;
    return wrong;
}

int main(void)
{
    const int sizes[][3] = {{1, 1, 1}, {3, 200, 2}, {130, 17, 4}, {200, 40, 1}, {7, 0, 9}, {40, 300, 2000}, {5000, 96, 100}};
    for (int s = 0; s < 7; ++s) {
        const int n = sizes[s][0], m = sizes[s][1];
        double *a = (double *)malloc((n * m + 1) * sizeof *a), *v = (double *)malloc((m + 1) * sizeof *v), sum = 0;
        double *y = (double *)malloc((n + 1) * sizeof *y);
        int *seen = (int *)malloc((n * m + 1) * sizeof *seen);
        for (int i = 0; i < n * m; ++i)
            a[i] = i % 17;
        for (int i = 0; i < m; ++i)
            v[i] = i % 5;
        scale(n, m, a, v);
        shift(n, m, sizes[s][2], a, v);
        for (int i = 0; i < n * m; ++i)
            sum += a[i] * (i % 7);
        printf("%d x %d: %.0f %ld %d", n, m, sum, count(n, m, a), by_team(n, m, seen));
        printf(" %.0f\n", sums(n, m, sizes[s][2], a, y));
        free(y);
        free(a);
        free(v);
        free(seen);
    }
    return 0;
}
