/* Pointers that a loop swaps: each leads to one of two buffers behind it. */
#include <stdlib.h>

static void step(int n, const double *from, double *to)
{
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
    for (int i = 0; i < n; ++i)
        to[i] = from[i] + 1; // rex-expect: lost-result (likely)
}
double one_comes_back(int n, int steps, double *old, double *new)
{
#pragma omp target data map(tofrom: old[0:n]) map(alloc: new[0:n])
    for (int s = 0; s < steps; ++s) {
        step(n, old, new);
        double *other = old;
        old = new;
        new = other;
    }
    return old[n / 2];
}

static void other_step(int n, const double *from, double *to)
{
#pragma omp target teams distribute parallel for map(to: from[0:n]) map(from: to[0:n])
    for (int i = 0; i < n; ++i)
        to[i] = from[i] + 1;
}
double both_come_back(int n, int steps, double *old, double *new)
{
#pragma omp target data map(tofrom: old[0:n], new[0:n])
    for (int s = 0; s < steps; ++s) {
        other_step(n, old, new);
        double *other = old;
        old = new;
        new = other;
    }
    return old[n / 2];
}

struct fields {
    int n;
    float *now, *next;
};
static void advance(struct fields *all)
{
    float *now = all->now, *next = all->next;
    int n = all->n;
#pragma omp target teams distribute parallel for map(to: now[0:n]) map(from: next[0:n])
    for (int i = 0; i < n; ++i)
        next[i] = now[i] + 1;
    all->now = next;
    all->next = now;
}
float wrong_update(int n, int steps)
{
    struct fields all = {n, calloc(n, sizeof(float)), calloc(n, sizeof(float))};
    float *a = all.now, *b = all.next;
#pragma omp target enter data map(to: a[0:n], b[0:n])
    for (int s = 0; s < steps; ++s)
        advance(&all);
#pragma omp target update from(a[0:n])
    float found = all.now[1]; // rex-expect: stale (likely)
#pragma omp target exit data map(release: a[0:n], b[0:n])
    free(a);
    free(b);
    return found;
}
float right_update(int n, int steps)
{
    struct fields all = {n, calloc(n, sizeof(float)), calloc(n, sizeof(float))};
    float *a = all.now, *b = all.next;
#pragma omp target enter data map(to: a[0:n], b[0:n])
    for (int s = 0; s < steps; ++s)
        advance(&all);
    float *now = all.now;
#pragma omp target update from(now[0:n])
    float found = all.now[1];
#pragma omp target exit data map(release: a[0:n], b[0:n])
    free(a);
    free(b);
    return found;
}

/* The pointers are not swapped but walk: nothing is said. */
struct list {
    struct list *next;
    double value;
};
double walks(struct list *all, int n, double *x)
{
    double sum = 0;
#pragma omp target data map(tofrom: x[0:n])
    for (; all; all = all->next) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            x[i] += 1;
        sum += all->value;
    }
    return sum + x[0];
}
