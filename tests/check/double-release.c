/* Wrong: data is released that is not on the device any more. These are likely only, because OpenMP lets such a directive do nothing.
   Behind each stands its right form. */
#include <stdlib.h>
typedef struct { int n; double *x; } vector;

void twice(double *a, double *b, int n)
{
#pragma omp target enter data map(to: a[0:n])
#pragma omp target exit data map(from: a[0:n])
#pragma omp target exit data map(delete: a[0:n]) // rex-expect: double-release (likely)
#pragma omp target enter data map(to: b[0:n])
#pragma omp target enter data map(to: b[0:n])
#pragma omp target exit data map(from: b[0:n])
#pragma omp target exit data map(release: b[0:n])
}
void deleted(double *a, double *b, int n)
{
#pragma omp target enter data map(to: a[0:n])
#pragma omp target enter data map(to: a[0:n])
#pragma omp target exit data map(delete: a[0:n])
#pragma omp target exit data map(release: a[0:n]) // rex-expect: double-release (likely)
#pragma omp target enter data map(to: b[0:n])
#pragma omp target exit data map(delete: b[0:n])
#pragma omp target enter data map(to: b[0:n])
#pragma omp target exit data map(release: b[0:n])
}
void inside(double *a, double *b, int n)
{
#pragma omp target data map(to: a[0:n]) // rex-expect: double-release (likely)
    {
#pragma omp target exit data map(delete: a[0:n])
    }
#pragma omp target data map(to: b[0:n])
    {
#pragma omp target enter data map(to: b[0:n])
#pragma omp target exit data map(release: b[0:n])
    }
}
static double grid[8], other[8];
void of_a_file(void)
{
#pragma omp target enter data map(to: grid, other)
#pragma omp target exit data map(from: grid)
#pragma omp target exit data map(from: grid) // rex-expect: double-release (likely)
#pragma omp target exit data map(from: other)
}
static void done(double *a)
{
#pragma omp target exit data map(release: a[0:8]) // rex-expect: double-release (likely)
}
static void done_once(double *a)
{
#pragma omp target exit data map(release: a[0:8])
}
void in_functions(double *a, double *b)
{
#pragma omp target enter data map(to: a[0:8])
    done(a);
    done(a);
#pragma omp target enter data map(to: b[0:8])
    done_once(b);
}
void in_a_loop(double *a, double *b, int n)
{
#pragma omp target enter data map(to: a[0:n])
    for (int i = 0; i < n; ++i) {
#pragma omp target exit data map(release: a[0:n]) // rex-expect: double-release (likely)
    }
    for (int i = 0; i < n; ++i) {
#pragma omp target enter data map(to: b[0:n])
#pragma omp target exit data map(release: b[0:n])
    }
}
void of_a_structure(vector *v, vector *w)
{
    double *x = v->x, *y = w->x;
#pragma omp target enter data map(to: x[0:8])
#pragma omp target exit data map(delete: x[0:8])
#pragma omp target exit data map(delete: x[0:8]) // rex-expect: double-release (likely)
#pragma omp target enter data map(to: y[0:8])
#pragma omp target exit data map(delete: y[0:8])
}
void other_parts(double *a, double *b, int on)
{
#pragma omp target enter data map(to: a[0:8])
#pragma omp target exit data map(release: a[0:4])
#pragma omp target exit data map(release: a[0:8]) // rex-expect: double-release (likely)
#pragma omp target enter data map(to: b[0:8]) if(on)
#pragma omp target exit data map(release: b[0:8]) if(on)
}
