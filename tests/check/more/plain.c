/* Functions of the host that read and write numbers only: what they do matters where devices have the data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 100

struct cell {
    double value;
    int flags[3];
};
static double table[N];
static const double *kept;

static double mean(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += x[i]; // rex-expect: stale (likely)
    return sum / n;
}

static double smaller_mean(const double *x, int n)
{
    return n > 1 ? mean(x, n - 1) : x[0]; // rex-expect: stale (likely)
}

static void clear(double *x, int n)
{
    memset(x, 0, n * sizeof *x);
    for (int i = 0; i < n; ++i)
        x[i] = i;
}

static double total_of_table(void)
{
    double total = 0;
    for (int i = 0; i < N; ++i)
        total += table[i]; // rex-expect: stale (likely)
    return total;
}

static double flux(const struct cell *cells, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += cells[i].value * cells[i].flags[0];
    return sum;
}

static void keep(const double *x)
{
    kept = x;
}

static double of_kept(void)
{
    return kept[3];
}

static void give_up(int status)
{
    fprintf(stderr, "%d\n", status);
    exit(status);
}

/* Before and behind the mapping, the host has everything, and the functions may do what they like. */
double around(double *x, int n)
{
    clear(x, n);
    double before = mean(x, n) + total_of_table();
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] += 1;
    return before + smaller_mean(x, n);
}

double between(double *x, int n)
{
    double norm;
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            x[i] += 1;
        norm = mean(x, n) + smaller_mean(x, n);
    }
    return norm;
}

double of_a_global(void)
{
    double total;
#pragma omp target data map(tofrom: table)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            table[i] = i;
        total = total_of_table();
    }
    return total;
}

double of_others(struct cell *cells, double *x, int n)
{
    double total;
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            x[i] += 1;
        total = flux(cells, n); // other data
    }
    return total;
}

double by_a_pointer(double *x, int n)
{
    double seen;
    keep(x);
    if (n < 4)
        give_up(1);
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            x[i] += 1;
        seen = of_kept();
    }
    return seen;
}

double of_a_part(int n)
{
    double x[N];
    clear(x, n);
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i)
        x[i] += 1;
    return x[2];
}

static double named_sum(const double *x, int n, const char *name)
{
    double sum = *name;
    for (int i = 0; i < n; ++i)
        sum += x[i]; // rex-expect: stale (likely)
    return sum;
}

struct field {
    double values[N];
};

double with_a_text(double *x, int n)
{
    double sum = named_sum(x, n, "before");
#pragma omp target data map(tofrom: x[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            x[i] += 1;
        sum += named_sum(x, n, "between");
    }
    return sum + named_sum(x, n, "behind");
}

double of_a_member(struct field *f)
{
    struct field own = *f;
    own.values[1] = named_sum(own.values, N, "a member");
#pragma omp target map(tofrom: own)
    own.values[2] = 1;
    return named_sum(own.values, N, "a member");
}
