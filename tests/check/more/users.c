/* Mistakes as users make them. Each wrong function has a right one behind it. */
#include <stdio.h>
#include <stdlib.h>

struct particle {
    float x[3];
    int cell;
};

/* Elements that data chooses, by a local variable. */
void count_cells(struct particle *p, int *count, int n, int cells)
{
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: count[0:cells])
    for (int i = 0; i < n; i++) {
        int c = p[i].cell < cells ? p[i].cell : 0;
        count[c] = count[c] + 1; // rex-expect: reduction (likely)
    }
}
void count_classes(const int *class, int *count, int n)
{
#pragma omp target teams distribute parallel for map(to: class[0:n]) map(tofrom: count[0:16])
    for (int i = 0; i < n; i++) {
        int c = class[i];
        c &= 15;
        count[c]++; // rex-expect: reduction (likely)
    }
}
void count_atomically(struct particle *p, int *count, int n, int cells)
{
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: count[0:cells])
    for (int i = 0; i < n; i++) {
        int c = p[i].cell;
#pragma omp atomic update
        count[c] = count[c] + 1;
    }
}
void count_own(const int *start, int *count, int n)
{
#pragma omp target teams distribute parallel for map(to: start[0:n]) map(tofrom: count[0:n])
    for (int i = 0; i < n; i++) {
        int own = i;
        for (int k = start[i]; k < start[i + 1 < n ? i + 1 : i]; k++)
            count[own]++;
    }
}

/* Rows that have memory of their own: only the pointers to them are mapped. */
void clear_rows(float **m, int r, int c)
{
#pragma omp target teams distribute parallel for map(to: m[0:r])
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            m[i][j] = 0; // rex-expect: unmapped-pointer (likely)
}
void new_rows(int r, int c)
{
    double **a = malloc(r * sizeof *a);
    for (int i = 0; i < r; i++)
        a[i] = calloc(c, sizeof **a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:r])
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++)
            a[i][j] += 1; // rex-expect: unmapped-pointer (likely)
}
void two_rows(float *x, float *y, int c)
{
    float *both[2] = {x, y};
#pragma omp target teams distribute parallel for collapse(2) map(to: both)
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < c; j++)
            both[i][j] = 0; // rex-expect: unmapped-pointer (likely)
}
void each_row(float **m, int r, int c)
{
    for (int i = 0; i < r; i++) {
        float *row = m[i];
#pragma omp target teams distribute parallel for map(from: row[0:c])
        for (int j = 0; j < c; j++)
            row[j] = 0;
    }
}
void rows_of_region(int r)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < r; i++) {
        float one[4], two[4], *both[2] = {one, two};
        for (int j = 0; j < 4; j++)
            both[i & 1][j] = 0;
    }
}

/* Code that is not seen has the address, so more of it may be mapped. */
int length_of(float **data);
void one_short(float *data)
{
    float *p = data;
    int n = length_of(&p);
#pragma omp target teams distribute parallel for map(tofrom: p[0:n - 1])
    for (int i = 0; i < n; i++)
        p[i] += 1; // rex-expect: bounds (likely)
}
void all_of_it(float *data)
{
    float *p = data;
    int n = length_of(&p);
#pragma omp target data map(tofrom: p[0:n])
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n - 1])
        for (int i = 0; i < n; i++)
            p[i] += 1;
    }
}
void give_longer(float **data);
void look_at(float *const *data);
void given_longer(void)
{
    float *p = malloc(16), *q = malloc(16);
    give_longer(&p);
    look_at(&q);
#pragma omp target map(tofrom: p[0:64])
    p[63] = 1;
#pragma omp target map(tofrom: q[0:64]) // rex-expect: bounds
    q[63] = 1;
}

/* What comes back by an update is what the user wants of it, so that the rest is lost is not certain. */
float last_element(void)
{
    float a[64] = {0}, last = 0;
#pragma omp target data map(to: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 64; i++)
            a[i] = i; // rex-expect: lost-result (likely)
#pragma omp target update from(a[63:1])
        last = a[63];
    }
    return last + a[0];
}
