/* Wrong: accesses beyond what is mapped, and sections beyond what there is. */
#include <stdlib.h>
#define N 100

void one_too_short(int n)
{
    double *x = malloc(n * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: x[0:n - 1])
    for (int i = 0; i < n; ++i)
        x[i] = i; // rex-expect: bounds
    free(x);
}
void up_to_n(int n)
{
    double *x = malloc((n + 1) * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i <= n; ++i)
        x[i] = i; // rex-expect: bounds
    free(x);
}
void half(void)
{
    double x[N];
#pragma omp target teams distribute parallel for map(tofrom: x[0:N / 2])
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: bounds
}
void neighbour(void)
{
    double x[N + 1] = {0}, y[N];
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: y)
    for (int i = 0; i < N; ++i)
        y[i] = x[i + 1]; // rex-expect: bounds
}
void before_the_section(void)
{
    double x[N] = {0};
#pragma omp target map(tofrom: x[10:20])
    x[9] = 1; // rex-expect: bounds
}
void starts_too_late(void)
{
    double x[N] = {0};
#pragma omp target teams distribute parallel for map(tofrom: x[1:N - 1])
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: bounds
}
void matrix(void)
{
    double *a = malloc(N * N * sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            a[i * N + j] = 0; // rex-expect: bounds
    free(a);
}
void symbolic_matrix(int n, int m)
{
    double *a = malloc(n * m * sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * m - 1])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i * m + j] = 0; // rex-expect: bounds
    free(a);
}
void longer_than_the_array(void)
{
    double x[N] = {0};
    double *p = x;
#pragma omp target map(tofrom: p[0:N + 1]) // rex-expect: bounds
    p[0] = 1;
}
void longer_than_allocated(void)
{
    int *x = malloc(N * sizeof *x);
#pragma omp target map(tofrom: x[0:2 * N]) // rex-expect: bounds
    x[0] = 1;
    free(x);
}
void bytes_for_elements(void)
{
    int *x = malloc(N);
#pragma omp target enter data map(to: x[0:N]) // rex-expect: bounds
#pragma omp target exit data map(release: x[0:N])
    free(x);
}
void mapped_before(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target enter data map(alloc: x[0:N / 2])
#pragma omp target
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: bounds
#pragma omp target exit data map(from: x[0:N / 2])
    free(x);
}
void parameter(double *x, int n)
{
#pragma omp target map(tofrom: x[0:n])
    x[n] = 1; // rex-expect: bounds (likely)
}
void under_a_condition(int n, int big)
{
    double x[N] = {0};
#pragma omp target map(tofrom: x[0:10])
    if (big)
        x[10] = 1; // rex-expect: bounds (likely)
}
void downwards(void)
{
    double x[N + 1] = {0};
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = N; i > 0; --i)
        x[i] = i; // rex-expect: bounds
}
void copied_back_too_far(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target enter data map(alloc: x[0:N / 2])
#pragma omp target
    x[0] = 1;
#pragma omp target exit data map(from: x[0:N]) // rex-expect: bounds
    free(x);
}

static void fill(int count, double *x)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < count; ++i)
        x[i] = i; // rex-expect: bounds
}
void half_mapped_by_the_caller(void)
{
    int n = 100;
    double *x = malloc(n * sizeof *x);
#pragma omp target data map(from: x[0:n / 2])
    fill(n, x);
    free(x);
}
static void store(double *row, int at)
{
    row[at + 1] = at; // rex-expect: bounds
}
void in_a_function(void)
{
    double x[N];
#pragma omp target teams distribute parallel for map(from: x)
    for (int i = 0; i < N; ++i)
        store(x, i);
}
void update_too_long(void)
{
    double x[2 * N];
#pragma omp target enter data map(alloc: x[0:N])
#pragma omp target update to(x[0:2 * N]) // rex-expect: bounds
#pragma omp target exit data map(release: x[0:N])
}
void rows_forgotten(int n, int m)
{
    double *x = malloc(sizeof(double) * n * m);
#pragma omp target teams distribute parallel for collapse(2) map(from: x[0:n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            x[i * m + j] = 0; // rex-expect: bounds (likely)
    free(x);
}

/* Right. */

void all(int n)
{
    double *x = malloc(n * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = i;
    free(x);
}
void inclusive(int n)
{
    double *x = malloc((n + 1) * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: x[0:n + 1])
    for (int i = 0; i <= n; ++i)
        x[i] = i;
    free(x);
}
void stencil(int n)
{
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 1; i < n - 1; ++i)
        y[i] = x[i - 1] + x[i + 1];
    free(x);
    free(y);
}
void part(void)
{
    double x[N] = {0};
#pragma omp target map(tofrom: x[10:20])
    for (int i = 10; i < 30; ++i)
        x[i] = 1;
}
void whole(void)
{
    double x[N] = {0};
#pragma omp target map(tofrom: x)
    x[N - 1] = 1;
}
void in_data(void)
{
    double x[N] = {0};
#pragma omp target data map(tofrom: x)
    {
#pragma omp target map(tofrom: x[0:N / 2])
        for (int i = 0; i < N; ++i)
            x[i] = i;
    }
}
void rows(double a[N][N])
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N][0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            a[i][j] = 0;
}
void flat(int n, int m)
{
    double *a = malloc(n * m * sizeof *a);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i * m + j] = 0;
    free(a);
}
void steps(void)
{
    double x[N] = {0};
#pragma omp target teams distribute parallel for map(tofrom: x[0:N - 1])
    for (int i = 0; i < N; i += 2)
        x[i] = i;
}
void triangle(void)
{
    double x[N * N] = {0};
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j)
            x[i * N + j] = 0;
}
void exact_allocation(int n)
{
    int *x = calloc(n, sizeof *x);
#pragma omp target map(tofrom: x[0:n])
    x[0] = 1;
    free(x);
}
void changing_length(int n)
{
    double *x = malloc(n * sizeof *x);
    for (int k = 0; k < 3; ++k) {
        n = n / 2;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
        for (int i = 0; i < n; ++i)
            x[i] = i;
    }
    free(x);
}
void slices(int n)
{
    double *x = malloc(4 * n * sizeof *x);
    for (int k = 0; k < 4; ++k) {
#pragma omp target teams distribute parallel for map(tofrom: x[k * n:n])
        for (int i = k * n; i < (k + 1) * n; ++i)
            x[i] = i;
    }
    free(x);
}
void indirect(double *x, int *to)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:10]) map(to: to[0:N])
    for (int i = 0; i < N; ++i)
        x[to[i]] = i;
}
static void with_length(double *x, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = i;
}
void two_lengths(void)
{
    double x[N], y[2 * N];
    with_length(x, N);
    with_length(y, 2 * N);
}
static void fill_all(int count, double *x)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < count; ++i)
        x[i] = i;
}
void mapped_by_the_caller(void)
{
    int n = 100;
    double *x = malloc(n * sizeof *x);
#pragma omp target data map(from: x[0:n])
    {
        fill_all(n, x);
        fill_all(n / 2, x);
    }
    free(x);
}
void chosen_by_conditions(int n, const int *is_inner)
{
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
#pragma omp target teams distribute parallel for map(from: x[0:n]) map(to: y[0:n], is_inner[0:n])
    for (int i = 0; i < n; ++i) {
        x[i] = i > 0 ? y[i - 1] : 0;
        if (i < n - 1 && is_inner[i])
            x[i] += y[i + 1];
    }
    free(x);
    free(y);
}
void all_rows(int n, int m)
{
    double *x = malloc(sizeof(double) * n * m);
#pragma omp target teams distribute parallel for collapse(2) map(from: x[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            x[i * m + j] = 0;
    free(x);
}
static void read_far(const float *b, float *seen, unsigned far)
{
#pragma omp target teams distribute parallel for map(to: b[0:8]) map(from: seen[0:8])
    for (unsigned i = 4; i < 8; ++i)
        seen[i] = b[i + far];
}
void modulo(const float *b, float *seen)
{
    read_far(b, seen, -4u);
}

/* Macros put their statements into do … while (0), which is no loop. */
#define SET(array, at, value) \
    do {                      \
        (array)[at] = value;  \
    } while (0)

void statement_of_a_macro(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target teams distribute parallel for map(from: x[0:N])
    for (int i = 0; i <= N; ++i)
        SET(x, i, i); // rex-expect: bounds
    free(x);
}

void statement_of_a_macro_within(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target teams distribute parallel for map(from: x[0:N])
    for (int i = 0; i < N; ++i)
        SET(x, i, i);
    free(x);
}

void pointer_that_moves(void)
{
    double *p = malloc(sizeof *p);
#pragma omp target map(tofrom: p[0:1])
    {
        p--;
        p[1] = 3;
    }
    free(p);
}

void strided_updates(void)
{
    double a[64] = {1};
#pragma omp target data map(tofrom: a)
    {
#pragma omp target update to(a[1:32:2])
#pragma omp target update to(a[1:33:2]) // rex-expect: bounds
#pragma omp target update from(a[0:64:2]) // rex-expect: bounds
#pragma omp target update from(a[:32:2])
#pragma omp target update from(a[63:1:7])
    }
}

/* Each part is as long as the whole array. */
void parts_that_are_too_long(void)
{
    static unsigned char in[N], out[N];
    for (int part = 0; part < 2; ++part) {
        int first = part * (N / 2);
#pragma omp target teams distribute parallel for map(to: in[first:N]) map(from: out[first:N / 2]) // rex-expect: bounds (likely)
        for (int i = first; i < first + N / 2; ++i)
            out[i] = 255 - in[i];
    }
}

void from_an_offset(int offset)
{
    double *x = calloc(N, sizeof *x);
#pragma omp target map(tofrom: x[offset:N]) // rex-expect: bounds (likely)
    x[offset] = 1;
#pragma omp target map(tofrom: x[offset:N - offset])
    x[offset] = 1;
    free(x);
}

/* Which of the two is not known, but how much of it is mapped. */
double row_pointers(int n, int which, const int *one, const int *other, double *x)
{
    const int *starts = which ? one : other;
#pragma omp target teams distribute parallel for map(to: starts[0:n]) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        for (int k = starts[i]; k < starts[i + 1]; ++k) // rex-expect: bounds (likely)
            x[i] += k;
#pragma omp target teams distribute parallel for map(to: starts[0:n + 1]) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        for (int k = starts[i]; k < starts[i + 1]; ++k)
            x[i] += k;
    return x[0];
}
void last_chunk_too_long(void)
{
    int chunk = 48;
    double *x = malloc(100 * sizeof *x);
    for (int from = 0; from < 100; from += chunk) {
#pragma omp target map(tofrom: x[from:chunk]) // rex-expect: bounds (likely)
        x[from] = from;
    }
    free(x);
}
void chunks(int n)
{
    double *x = malloc(100 * sizeof *x);
    for (int from = 0; from < 100; from += 25) {
#pragma omp target map(tofrom: x[from:25])
        x[from] = from;
    }
    for (int from = 0; from < 100; from += 48) {
        int length = from + 48 <= 100 ? 48 : 100 - from;
#pragma omp target map(tofrom: x[from:length])
        x[from] = from;
    }
    for (int from = 0; from < n; from += 48) {
#pragma omp target map(tofrom: x[from:48])
        x[from] = from;
    }
    for (int from = 99; from >= 0; from -= 3) {
#pragma omp target map(tofrom: x[from:1])
        x[from] = from;
    }
    free(x);
}
// A part of an object, which the region maps, or which is mapped as a whole around.
static void between(const double *x, double *y, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] = x[i + 1] - x[i]; // rex-expect: bounds (likely)
}
static void within(const double *x, double *y, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(from: y[0:n])
    for (int i = 0; i < n; ++i)
        y[i] = x[i + 1] - x[i - 1];
}
double inner(int n)
{
    double *x = calloc(n + 2, sizeof *x), *y = calloc(n + 2, sizeof *y);
    between(x + 1, y + 1, n);
#pragma omp target data map(tofrom: x[0:n + 2], y[0:n + 2])
    within(x + 1, y + 1, n);
    double first = y[1];
    free(x);
    free(y);
    return first;
}
