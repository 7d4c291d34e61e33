// Mistakes as people make them, each function with its right twin behind it.
#include <stdlib.h>

int *larger(int n)
{
    int *p = calloc(n, sizeof *p);
#pragma omp target enter data map(to: p[0:n])
    p = realloc(p, 4 * n * sizeof *p);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4 * n; i++)
        p[i] = 1; // rex-expect: unmapped-pointer
#pragma omp target exit data map(from: p[0:n])
    return p;
}

int *larger_right(int n)
{
    int *p = calloc(n, sizeof *p);
#pragma omp target enter data map(to: p[0:n])
#pragma omp target exit data map(from: p[0:n])
    p = realloc(p, 4 * n * sizeof *p);
#pragma omp target enter data map(to: p[0:4 * n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4 * n; i++)
        p[i] = 1;
#pragma omp target exit data map(from: p[0:4 * n])
    return p;
}

int where(int n, const double *x)
{
    double best = -1;
    int at = -1;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: best, at)
    for (int i = 0; i < n; i++)
        if (x[i] > best) {
            best = x[i]; // rex-expect: race
            at = i; // rex-expect: race (likely)
        }
    return at;
}

int where_right(int n, const double *x)
{
    double best = -1;
    int at = -1;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(max: best)
    for (int i = 0; i < n; i++)
        if (x[i] > best)
            best = x[i];
    for (int i = 0; i < n; i++)
        if (x[i] == best)
            at = i;
    return at;
}

int halves(int n, const int *v)
{
    int low = 0, high = 0;
#pragma omp target map(to: v[0:n]) map(tofrom: low, high)
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n / 2; i++)
            low += v[i];
#pragma omp section
        for (int i = n / 2; i < n; i++)
            low += v[i]; // rex-expect: race
    }
    return low + high;
}

int halves_right(int n, const int *v)
{
    int low = 0, high = 0;
#pragma omp target map(to: v[0:n]) map(tofrom: low, high)
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < n / 2; i++)
            low += v[i];
#pragma omp section
        for (int i = n / 2; i < n; i++)
            high += v[i];
    }
    return low + high;
}

int rounds(int n, int *a)
{
    int changed = 1, count = 0;
#pragma omp target data map(tofrom: a[0:n])
    while (changed) {
        changed = 0;
        count++;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            if (a[i] > 0) {
                a[i]--;
                changed = 1; // rex-expect: lost-result // rex-expect: race (likely)
            }
    }
    return count;
}

int rounds_right(int n, int *a)
{
    int changed = 1, count = 0;
#pragma omp target data map(tofrom: a[0:n])
    while (changed) {
        changed = 0;
        count++;
#pragma omp target teams distribute parallel for reduction(|: changed)
        for (int i = 0; i < n; i++)
            if (a[i] > 0) {
                a[i]--;
                changed = 1;
            }
    }
    return count;
}

void offsets(int n, const int *counts, int *start)
{
#pragma omp target parallel for map(to: counts[0:n]) map(from: start[0:n + 1])
    for (int i = 0; i <= n; i++) {
        if (i == 0)
            start[i] = 0;
        else
            start[i] = start[i - 1] + counts[i - 1]; // rex-expect: dependence (likely)
    }
}

void offsets_behind_a_jump(int n, const int *counts, int *start)
{
#pragma omp target parallel for map(to: counts[0:n]) map(from: start[0:n + 1])
    for (int i = 0; i <= n; i++) {
        if (i == 0) {
            start[i] = 0;
            continue;
        }
        start[i] = start[i - 1] + counts[i - 1]; // rex-expect: dependence (likely)
    }
}

void last_only(int n, const int *counts, int *start)
{
#pragma omp target parallel for map(to: counts[0:n]) map(tofrom: start[0:n + 1])
    for (int i = 0; i <= n; i++) {
        if (i != n) {
            continue;
        } else {
            for (int k = 0; k < n; k++)
                if (counts[k])
                    break;
            start[i] = start[i - 1] + counts[i - 1];
        }
    }
}

void chosen_behind_a_switch(int n, const int *counts, int *start)
{
#pragma omp target parallel for map(to: counts[0:n]) map(tofrom: start[0:n + 1])
    for (int i = 0; i <= n; i++)
        if (i == 3) {
            switch (counts[i]) {
            case 1:
                break;
            }
            start[i] = start[i - 1] + counts[i - 1];
        }
}

/* The host keeps its own values of what is mapped 'to', for a reference, and the region has another result. */
double kept_for_a_reference(int n, double *p, double *m)
{
    double first;
#pragma omp target data map(to: m[0:n]) map(tofrom: p[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++) {
            m[i] = 0.9 * m[i] + 1; // rex-expect: lost-result (likely)
            p[i] -= m[i];
        }
        first = m[0]; // rex-expect: stale (likely)
    }
    return first + p[1] + m[1];
}

/* The same where an update has brought the host's values. */
double brought_by_an_update(double start)
{
    double p[8] = {start}, hits[8];
#pragma omp target data map(alloc: p) map(from: hits)
    {
#pragma omp target update to(p)
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 8; i++) {
            p[i] *= 2; // rex-expect: lost-result (likely)
            hits[i] = p[i] > 1;
        }
    }
    return p[0] + hits[0];
}

double no_other_result(double p)
{
    double m[8] = {p};
#pragma omp target teams distribute parallel for map(to: m)
    for (int i = 0; i < 8; i++)
        m[i] = 0.9 * m[i] + p; // rex-expect: lost-result
    return m[1];
}
