/* Parts of arrays: strides of updates, bounds of inner loops, and objects that 'depend' names for reading only. */
double every_second(int n, double *a)
{
    double sum = 0;
#pragma omp target data map(to: a[0:100])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; ++i)
            a[i] = i;
#pragma omp target update from(a[0:50:2])
        for (int i = 0; i < 50; ++i)
            sum += a[2 * i];
        for (int i = 0; i < 100; ++i)
            sum += a[i]; // rex-expect: stale (likely)
    }
    return sum;
}
double both_halves(int n, double *a)
{
    double sum = 0;
#pragma omp target data map(to: a[0:100])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 100; ++i)
            a[i] = i;
#pragma omp target update from(a[0:50:2], a[1:50:2])
        for (int i = 0; i < 100; ++i)
            sum += a[i];
    }
    return sum;
}

void inner_columns(int nx, int ny, const float *in, float *out)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: in[0:nx*(ny-1)]) map(tofrom: out[0:nx*ny])
    for (int j = 0; j < ny; ++j)
        for (int i = 1; i < nx - 1; ++i)
            out[j * nx + i] = in[j * nx + i + 1]; // rex-expect: bounds (likely)
}
void inner_rows(int nx, int ny, const float *in, float *out)
{
#pragma omp target teams distribute parallel for collapse(2) map(to: in[0:nx*(ny-1)]) map(tofrom: out[0:nx*ny])
    for (int j = 0; j < ny - 1; ++j)
        for (int i = 1; i <= nx - 2; ++i)
            out[j * nx + i] = in[j * nx + i + 1];
}

void both_read(int n, const float *a, float *b, float *c)
{
#pragma omp target data map(to: a[0:n]) map(from: c[0:n]) map(alloc: b[0:n])
    {
#pragma omp target teams distribute parallel for nowait depend(in: a[0]) depend(out: b[0])
        for (int i = 0; i < n; ++i)
            b[i] = a[i];
#pragma omp target teams distribute parallel for nowait depend(in: a[0]) depend(out: c[0])
        for (int i = 0; i < n; ++i)
            c[i] = b[i] + 1; // rex-expect: nowait (likely)
#pragma omp taskwait
    }
}
void one_writes(int n, const float *a, float *b, float *c)
{
#pragma omp target data map(to: a[0:n]) map(from: c[0:n]) map(alloc: b[0:n])
    {
#pragma omp target teams distribute parallel for nowait depend(inout: a[0]) depend(out: b[0])
        for (int i = 0; i < n; ++i)
            b[i] = a[i];
#pragma omp target teams distribute parallel for nowait depend(in: a[0]) depend(out: c[0])
        for (int i = 0; i < n; ++i)
            c[i] = b[i] + 1;
#pragma omp taskwait
    }
}

void of_other_teams(int n, int *p, int *q, const int *where)
{
#pragma omp target teams map(tofrom: p[0:n], q[0:n]) map(to: where[0:n])
    {
#pragma omp distribute parallel for
        for (int i = 0; i < n; ++i)
            p[i] *= 4;
#pragma omp distribute parallel for
        for (int i = 0; i < n; ++i)
            q[i] = p[i];
#pragma omp distribute parallel for
        for (int i = 0; i < n; ++i)
            q[i] += p[where[i]]; // rex-expect: race (likely)
    }
}

/* Rows of a matrix that are shorter than the loop over their columns. */
#define ROWS 40
#define COLUMNS 60
void rows_overlap(int *m)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: m[0:ROWS*COLUMNS])
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            m[i * ROWS + j] = j; // rex-expect: dependence
}
void rows_overlap_inside(int *m)
{
#pragma omp target teams distribute parallel for map(tofrom: m[0:ROWS*COLUMNS])
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < COLUMNS; ++j)
            m[i * ROWS + j] = j; // rex-expect: dependence
}
void rows_beside_each_other(int *m)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: m[0:ROWS*COLUMNS])
    for (int j = 0; j < COLUMNS; ++j)
        for (int i = 0; i < ROWS; ++i)
            m[i * COLUMNS + j] = j;
#pragma omp target teams distribute parallel for map(tofrom: m[0:ROWS*COLUMNS])
    for (int i = 0; i < ROWS; ++i)
        for (int j = 1; j < COLUMNS - 1; ++j)
            m[i * COLUMNS + j + 1] = j;
}
