/* Wrong: iterations that run at the same time use what other iterations compute. */
#define N 1000

void previous(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1] + 1; // rex-expect: dependence
}

void next(double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N - 1; ++i)
        x[i] = x[i + 1] * 2; // rex-expect: dependence
}

void far(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 8; i < N; ++i)
        x[i] += x[i - 8]; // rex-expect: dependence
}

void by_teams(double *x)
{
#pragma omp target teams distribute map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1]; // rex-expect: dependence
}

void rows(double a[N][8])
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 1; i < N; ++i)
        for (int j = 0; j < 8; ++j)
            a[i][j] = a[i - 1][j]; // rex-expect: dependence
}

void flat(double *a, int n, int m)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 8; ++j)
            a[j] = a[j] * 2 + i; // rex-expect: race
}

void columns(double a[N][8])
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 1; j < 8; ++j)
            a[i][j] = a[i][j - 1]; // rex-expect: dependence
}

void with_steps(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 4; i < N; i += 2)
        x[i] = x[i - 4]; // rex-expect: dependence
}

void downwards(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = N - 2; i >= 0; --i)
        x[i] = x[i + 1]; // rex-expect: dependence
}

void by_a_local(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i) {
        int before = i - 1;
        x[i] = x[before]; // rex-expect: dependence
    }
}

void by_a_pointer(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        *(x + i) = *(x + i - 1); // rex-expect: dependence
}

void written_twice(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N + 1])
    for (int i = 0; i < N; ++i) {
        x[i] = 1; // rex-expect: dependence
        x[i + 1] = 2;
    }
}

typedef struct { double now, next; } cell;
void members(cell *c)
{
#pragma omp target parallel for map(tofrom: c[0:N])
    for (int i = 1; i < N; ++i)
        c[i].now = c[i - 1].now; // rex-expect: dependence
}

void guarded(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        if (x[i] > 0)
            x[i] = x[i - 1]; // rex-expect: dependence (likely)
}

void nested_for(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
#pragma omp parallel
        {
#pragma omp for
            for (int i = 1; i < N; ++i)
                x[i] = x[i - 1]; // rex-expect: dependence
        }
    }
}

void in_three_dimensions(double a[8][8][8])
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom: a[0:8])
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j)
            for (int k = 0; k < 7; ++k)
                a[i][j][k] = a[i + 1][j + 1][k]; // rex-expect: dependence
}

void rows_of_a_flat_array(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * m])
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < m; ++j)
            a[i * m + j] += a[(i - 1) * m + j]; // rex-expect: dependence
}
void columns_of_a_flat_array(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < m; ++j)
            a[i * m + j] += a[i * m + j - 1]; // rex-expect: dependence
}
static void relax(double *u, int at)
{
    int before = at - 1;
    u[at] = 0.5 * u[before]; // rex-expect: dependence
}
void in_a_function(int n, double *u)
{
#pragma omp target teams distribute parallel for map(tofrom: u[0:n])
    for (int i = 1; i < n; ++i)
        relax(u, i);
}

/* Right. */

void other_array(double *x, double *y)
{
#pragma omp target teams distribute parallel for map(from: x[0:N]) map(to: y[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = y[i - 1];
}

void own_row(double a[N][8])
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 1; j < 8; ++j)
            a[i][j] = a[i][j - 1];
}

void even_and_odd(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N - 1; i += 2)
        x[i] = x[i + 1];
}

void halves(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:2 * N])
    for (int i = 0; i < N; ++i)
        x[i] = x[i + N];
}

void interleaved(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:2 * N])
    for (int i = 0; i < N; ++i)
        x[2 * i] = x[2 * i + 1];
}

void red_and_black(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N - 1; ++i)
        if (i % 2 == 0)
            x[i] = x[i - 1] + x[i + 1];
}

void skipping(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 1; i < N - 1; ++i) {
        if (i % 2)
            continue;
        x[i] = x[i - 1] + x[i + 1];
    }
}

void other_members(cell *c)
{
#pragma omp target parallel for map(tofrom: c[0:N])
    for (int i = 1; i < N; ++i)
        c[i].next = c[i - 1].now;
}

void in_order(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1] + 1;
}

void inner_loop_in_order(double a[8][N])
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:8])
    for (int j = 0; j < 8; ++j)
        for (int i = 1; i < N; ++i)
            a[j][i] = a[j][i - 1];
}

void ordered(double *x)
{
#pragma omp target parallel for ordered(1) map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i) {
#pragma omp ordered depend(sink: i - 1)
        x[i] = x[i - 1] + 1;
#pragma omp ordered depend(source)
    }
}

void by_chunks(double *x)
{
#pragma omp target parallel for map(tofrom: x[0:N])
    for (int i = 0; i < N / 10; ++i)
        for (int j = i * 10 + 1; j < i * 10 + 10; ++j)
            x[j] = x[j - 1];
}

void two_loops(double *x, double *y)
{
#pragma omp target map(tofrom: x[0:N], y[0:N])
    {
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            x[i] = i;
#pragma omp parallel for
        for (int i = 1; i < N; ++i)
            y[i] = x[i - 1];
    }
}

void same_element(double *x, int n)
{
#pragma omp target parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        x[i] = x[i] + 1;
        x[i] *= 2;
    }
}

void by_one_team(double *x)
{
#pragma omp target teams distribute num_teams(1) map(tofrom: x[0:N])
    for (int i = 1; i < N; ++i)
        x[i] = x[i - 1];
}
static void halve(double *u, int at)
{
    int same = at;
    u[at] = 0.5 * u[same];
}
void own_element_in_a_function(int n, double *u)
{
#pragma omp target teams distribute parallel for map(tofrom: u[0:n])
    for (int i = 1; i < n; ++i)
        halve(u, i);
}
static void from_above(double *u, int at, int from)
{
    u[at] = u[from];
}
void other_half_in_a_function(int n, double *u)
{
#pragma omp target teams distribute parallel for map(tofrom: u[0:2 * n])
    for (int i = 0; i < n; ++i)
        from_above(u, i, n + i);
}
void one_row_after_the_other(int n, int m, double *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * m])
    for (int j = 0; j < m; ++j)
        for (int i = 1; i < n; ++i)
            a[i * m + j] += a[(i - 1) * m + j];
}

struct owner {
    int *values;
    struct owner *next;
};
void behind_a_member(struct owner *o)
{
#pragma omp target teams distribute parallel for map(tofrom: o->values[0:N])
    for (int i = 1; i < N; ++i)
        o->values[i] = o->values[i - 1] + 1; // rex-expect: dependence
}
/* Right: each iteration has another structure, or the pointer in it changes. */
void of_a_list(struct owner *o, int *other)
{
#pragma omp target map(tofrom: o[0:1], other[0:N])
#pragma omp parallel for
    for (int i = 1; i < N; ++i) {
        struct owner own = *o;
        own.values = other + 2 * i;
        own.values[0] = own.values[-1] + 1;
    }
}

/* Subscripts with different factors, and such as count with a loop in the iteration, too. */
void reversed(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] = 0.5 * x[n - 1 - i]; // rex-expect: dependence
}
void by_the_first_element(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] /= x[0]; // rex-expect: dependence
}
void diagonals(int *out)
{
#pragma omp target teams distribute parallel for map(tofrom: out[0:2 * N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < 8; ++j)
            out[i + j] = i - j; // rex-expect: dependence
}
void diagonals_of_any_width(int m, int *out)
{
#pragma omp target teams distribute parallel for map(tofrom: out[0:N + m])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < m; ++j)
            out[i + j] = i - j; // rex-expect: dependence (likely)
}
void transposed_in_place(int n, double *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            a[i * n + j] = a[j * n + i]; // rex-expect: dependence (likely)
}
void upper_and_lower(double (*a)[N])
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            a[i][j] = 0.5 * a[j][i]; // rex-expect: dependence
}
/* Right: the halves, the tiles, the blocks, the lower triangle, and the elements behind the first. */
void reversed_half(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:2 * n])
    for (int i = 0; i < n; ++i) {
        double t = x[i];
        x[i] = x[2 * n - 1 - i];
        x[2 * n - 1 - i] = t;
    }
}
void tiles(int *out)
{
#pragma omp target teams distribute parallel for map(tofrom: out[0:N])
    for (int i = 0; i < N; i += 8)
        for (int j = 0; j < 8; ++j)
            out[i + j] = j;
}
void blocks(int n, int m, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n * m])
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            x[i * m + j] += x[i * m];
}
void lower_triangle(double (*a)[N])
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < i; ++j) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}
void behind_the_first(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 1; i < n; ++i)
        x[i] /= x[0];
}
void up_to_the_last(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n - 1; ++i)
        x[i] -= x[n - 1];
}
void lanes(int n, double *x, double *y)
{
#pragma omp target map(tofrom: x[0:n], y[0:n])
    {
#pragma omp simd
        for (int i = 1; i < n; ++i)
            x[i] += x[i - 1]; // rex-expect: dependence (likely)
#pragma omp simd safelen(4)
        for (int i = 4; i < n; ++i)
            y[i] += y[i - 4];
#pragma omp simd
        for (int i = 0; i < n; ++i)
            x[i] += y[i];
    }
}
