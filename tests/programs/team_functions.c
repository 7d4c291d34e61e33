/* Functions with parallel regions, called from the sequential part of a team: all of the team's threads run the regions. */
#include <omp.h>
#include "check.h"

#define N 500

struct range {
    int first, count;
};

static void axpy(int n, double a, const double *x, double *y)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
        y[i] += a * x[i];
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    if (n == 0)
        return -1;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* Regions in functions that a function calls; variables of its own that their threads reach. */
static double norm_of_differences(struct range range, const double *x, int scale)
{
    double differences[N], *to = differences;
    int steps = 0;
#pragma omp parallel for num_threads(7)
    for (int i = 0; i < range.count - 1; ++i) {
        to[i] = scale * (x[range.first + i + 1] - x[range.first + i]);
#pragma omp atomic
        steps += 1;
    }
#pragma omp parallel
#pragma omp single
    {
        scale += steps;
        range.count = range.count - 1;
    }
    if (scale != steps + 3)
        return -2;
    return dot(range.count, differences, differences);
}

static int threads_of_region(void)
{
    int threads = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
    }
    return threads;
}

static void put(int *to, int value)
{
#pragma omp parallel
#pragma omp master
    *to = value;
}

/* Recursive, with a static variable, or called by its address: one thread per region, and the same results. */
static int halves(int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += 1;
    return n > 1 ? sum + halves(n / 2) : sum;
}

static int counted(int n)
{
    static int calls;
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
#pragma omp atomic
        ++calls;
    return calls;
}

static double by_address(int n, const double *x, const double *y)
{
    return dot(n, x, y) + 1;
}

static void regions(void)
{
    double x[N], y[N], found[4] = {0}, (*how)(int, const double *, const double *);
    int alone = 0, inside = -1, in_region = 0, sums[4] = {0}, local = 0;

    for (int i = 0; i < N; ++i)
        x[i] = i, y[i] = 1;
#pragma omp target map(tofrom: y, found, alone, inside, in_region, sums, local) map(to: x) private(how)
    {
        int own[3] = {0, 0, 0}, single = 1;
        axpy(N, 2, x, y);
        found[0] = dot(N, x, y);
        if ((found[1] = norm_of_differences((struct range){5, 100}, y, 3)) < 0)
            axpy(N, 1000, x, y);
        alone = threads_of_region();
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0)
                in_region = omp_get_num_threads();
#pragma omp single
            inside = threads_of_region();
        }
        put(&own[1], 4);
        put(&single, 5);
        local = own[1] * 10 + single;
        sums[0] = halves(20);
        sums[1] = counted(10) + counted(5);
        how = by_address;
        found[2] = how(N, x, x);
        found[3] = dot(0, x, y);
    }
    double xy = 0, xx = 0;
    for (int i = 0; i < N; ++i)
        xy += i * (2. * i + 1), xx += 1. * i * i;
    CHECK(y[0] == 1 && y[N - 1] == 2 * N - 1 && found[0] == xy);
    CHECK(found[1] == 99 * 36. && found[2] == xx + 1 && found[3] == -1);
    CHECK(alone == in_region && inside == 1);
    CHECK(sums[0] == 20 + 10 + 5 + 2 + 1 && sums[1] == 25 && local == 45);
}

static void leagues(void)
{
    static double rows[40][N], sums[40], once[40];

    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < N; ++j)
            rows[i][j] = i + j % 3;
#pragma omp target teams distribute map(to: rows) map(from: sums, once)
    for (int i = 0; i < 40; ++i) {
        double ones[N];
        for (int j = 0; j < N; ++j)
            ones[j] = 0;
        axpy(N, 1, rows[i], ones);
        sums[i] = dot(N, ones, rows[i]);
        once[i] = 0;
        put((int *)&once[i], 0);
    }
    int wrong = 0;
    for (int i = 0; i < 40; ++i) {
        double sum = 0;
        for (int j = 0; j < N; ++j)
            sum += rows[i][j] * rows[i][j];
        wrong += sums[i] != sum || once[i] != 0;
    }
    CHECK(wrong == 0);
}

int main(void)
{
    regions();
    leagues();
    return CHECK_RESULT();
}
