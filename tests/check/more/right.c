/* Right functions with the idioms of applications: nothing is found in them. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 256
#define IDX(i, j) ((i) * nx + (j))
#define LOOP _Pragma("omp target teams distribute parallel for") for
#define CHECK(c) do { if (!(c)) { fprintf(stderr, "bad\n"); exit(1); } } while (0)
#define FREE(p) do { free(p); (p) = NULL; } while (0)
typedef struct { int n; double *x, *y; } field;
typedef struct { field *f; int count; } set;
#pragma omp declare target
static double coefficient = 0.5;
static int table[16];
static inline double flux(const double *u, int i) { return coefficient * (u[i + 1] - u[i]); }
static void add_to(double *s, double v) { *s += v; }
#pragma omp end declare target

static double *make(int n) { double *p = malloc(n * sizeof *p); CHECK(p); memset(p, 0, n * sizeof *p); return p; }

void init_tables(void)
{
    for (int i = 0; i < 16; ++i) table[i] = i;
    coefficient = 0.25;
#pragma omp target update to(table, coefficient)
}

void field_enter(field *f)
{
#pragma omp target enter data map(to: f[0:1]) map(to: f->x[0:f->n]) map(alloc: f->y[0:f->n])
}
void field_leave(field *f)
{
#pragma omp target exit data map(from: f->x[0:f->n]) map(release: f->y[0:f->n]) map(release: f[0:1])
}
void field_step(field *f)
{
    const int n = f->n;
    double *x = f->x, *y = f->y;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n - 1; ++i) y[i] = x[i] + flux(x, i);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n - 1; ++i) x[i] = y[i];
}
double field_run(int n, int steps)
{
    field f = {n, make(n), make(n)};
    f.x[n / 2] = 1;
    field_enter(&f);
    for (int s = 0; s < steps; ++s) field_step(&f);
    field_leave(&f);
    const double r = f.x[n / 2];
    FREE(f.x); FREE(f.y);
    return r;
}

double jacobi(int nx, int ny, double tol)
{
    double *u = make(nx * ny), *v = make(nx * ny), err = 1;
    int it = 0;
#pragma omp target data map(tofrom: u[0:nx * ny]) map(alloc: v[0:nx * ny])
    {
        while (err > tol && it < 100) {
            err = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max: err) map(tofrom: err)
            for (int i = 1; i < nx - 1; ++i)
                for (int j = 1; j < ny - 1; ++j) {
                    v[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
                    err = fmax(err, fabs(v[IDX(i, j)] - u[IDX(i, j)]));
                }
#pragma omp target teams distribute parallel for collapse(2)
            for (int i = 1; i < nx - 1; ++i)
                for (int j = 1; j < ny - 1; ++j) u[IDX(i, j)] = v[IDX(i, j)];
            if (it % 10 == 0) printf("%d %g\n", it, err);
            ++it;
        }
    }
    double s = u[IDX(1, 1)];
    FREE(u); FREE(v);
    return s;
}

int pingpong(int n, int steps)
{
    int *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma omp target enter data map(to: a[0:n], b[0:n])
    for (int s = 0; s < steps; ++s) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i) b[i] = a[i] + 1;
        int *t = a; a = b; b = t;
    }
#pragma omp target exit data map(from: a[0:n]) map(release: b[0:n])
    int r = a[0];
    free(a); free(b);
    return r;
}

void pipeline(float *in, float *out, int n, int blocks)
{
    const int size = n / blocks;
#pragma omp target enter data map(alloc: in[0:n], out[0:n])
    for (int b = 0; b < blocks; ++b) {
        float *i0 = in + b * size, *o0 = out + b * size;
#pragma omp target update to(i0[0:size]) depend(out: i0[0]) nowait
#pragma omp target teams distribute parallel for depend(in: i0[0]) depend(out: o0[0]) nowait
        for (int i = 0; i < size; ++i) o0[i] = sqrtf(i0[i]);
#pragma omp target update from(o0[0:size]) depend(in: o0[0]) nowait
    }
#pragma omp taskwait
#pragma omp target exit data map(release: in[0:n], out[0:n])
    for (int i = 0; i < n; ++i) CHECK(out[i] >= 0);
}

int find_first(const int *x, int n, int key)
{
    int at = n;
    if (n == 0) return -1;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(min: at)
    for (int i = 0; i < n; ++i)
        if (x[i] == key && i < at) at = i;
    return at == n ? -1 : at;
}

double sum_rows(int n, int m, double a[n][m])
{
    double *rows = malloc(n * sizeof *rows), s = 0;
#pragma omp target teams distribute map(to: a[0:n][0:m]) map(from: rows[0:n])
    for (int i = 0; i < n; ++i) {
        double r = 0;
#pragma omp parallel for reduction(+: r)
        for (int j = 0; j < m; ++j) r += a[i][j];
        rows[i] = r;
    }
    for (int i = 0; i < n; ++i) s += rows[i];
    free(rows);
    return s;
}

int error_path(int n, double *x)
{
    double *tmp = malloc(n * sizeof *tmp);
    if (!tmp) return 1;
#pragma omp target enter data map(alloc: tmp[0:n])
    if (n > 1000) {
#pragma omp target exit data map(delete: tmp[0:n])
        free(tmp);
        return 2;
    }
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) { tmp[i] = x[i]; x[i] = 2 * tmp[i]; }
#pragma omp target exit data map(delete: tmp[0:n])
    free(tmp);
    return 0;
}

int cleanup_by_goto(int n)
{
    int rc = 1;
    double *a = malloc(n * sizeof *a), *b = NULL;
    if (!a) goto out;
#pragma omp target enter data map(alloc: a[0:n])
    b = malloc(n * sizeof *b);
    if (!b) goto out_a;
#pragma omp target teams distribute parallel for map(from: b[0:n])
    for (int i = 0; i < n; ++i) { a[i] = i; b[i] = a[i]; }
    rc = b[0] != 0;
    free(b);
out_a:
#pragma omp target exit data map(delete: a[0:n])
    free(a);
out:
    return rc;
}

double by_helper(const double *x, int n)
{
    double s = 0;
#pragma omp target map(to: x[0:n]) map(tofrom: s)
    for (int i = 0; i < n; ++i) add_to(&s, x[i]);
    return s;
}

double team_partials(const double *x, int n)
{
    double part[64] = {0}, s = 0;
#pragma omp target teams num_teams(64) map(to: x[0:n]) map(tofrom: part)
    {
        const int t = omp_get_team_num(), k = omp_get_num_teams();
        double mine = 0;
#pragma omp parallel for reduction(+: mine)
        for (int i = t; i < n; i += k) mine += x[i];
        part[t] = mine;
    }
    for (int t = 0; t < 64; ++t) s += part[t];
    return s;
}

void csr(int rows, const int *start, const int *col, const double *val, const double *x, double *y)
{
    const int nnz = start[rows];
#pragma omp target teams distribute parallel for map(to: start[0:rows + 1], col[0:nnz], val[0:nnz], x[0:rows]) map(from: y[0:rows])
    for (int r = 0; r < rows; ++r) {
        double s = 0;
        for (int k = start[r]; k < start[r + 1]; ++k) s += val[k] * x[col[k]];
        y[r] = s;
    }
}

int counters(const int *x, int n)
{
    int pos = 0, neg = 0, bins[8] = {0};
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: pos, neg, bins)
    for (int i = 0; i < n; ++i) {
        if (x[i] > 0) ++pos; else ++neg;
        bins[x[i] & 7]++;
    }
    return pos - neg + bins[0];
}

void set_enter(set *s)
{
#pragma omp target enter data map(to: s->f[0:s->count])
    for (int k = 0; k < s->count; ++k) {
#pragma omp target enter data map(to: s->f[k].x[0:s->f[k].n])
    }
}
void set_scale(set *s, double by)
{
    for (int k = 0; k < s->count; ++k) {
        double *x = s->f[k].x;
        const int n = s->f[k].n;
        LOOP (int i = 0; i < n; ++i) x[i] *= by;
    }
}
void set_leave(set *s)
{
    for (int k = 0; k < s->count; ++k) {
#pragma omp target exit data map(from: s->f[k].x[0:s->f[k].n])
    }
#pragma omp target exit data map(release: s->f[0:s->count])
}

double async_with_wait(double *x, int n)
{
    double s = 0, host = 0;
#pragma omp target teams distribute parallel for nowait map(to: x[0:n]) map(tofrom: s) reduction(+: s)
    for (int i = 0; i < n; ++i) s += x[i];
    for (int i = 0; i < n; ++i) host += x[i];
#pragma omp taskwait
    return s - host;
}

void swap_halves(double *x, int n)
{
    const int h = n / 2;
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < h; ++i) { double t = x[i]; x[i] = x[i + h]; x[i + h] = t; }
}

void red_black(double *u, int n)
{
#pragma omp target data map(tofrom: u[0:n])
    for (int colour = 0; colour < 2; ++colour) {
#pragma omp target teams distribute parallel for
        for (int i = 1 + colour; i < n - 1; i += 2) u[i] = 0.5 * (u[i - 1] + u[i + 1]);
    }
}

int with_flag(int n, const double *x)
{
    int bad = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(|: bad)
    for (int i = 0; i < n; ++i) bad |= isnan(x[i]) != 0;
    if (bad) return 1;
    return 0;
}

void partial_updates(double *x, int n)
{
#pragma omp target data map(tofrom: x[0:n])
    {
        for (int k = 0; k < 4; ++k) {
            x[k] = k;
#pragma omp target update to(x[k:1])
#pragma omp target teams distribute parallel for firstprivate(k)
            for (int i = 0; i < n; ++i) x[i] += k;
#pragma omp target update from(x[k:1])
            printf("%g\n", x[k]);
        }
    }
}

static double state[N];
void static_arrays(void)
{
#pragma omp target enter data map(alloc: state)
    for (int i = 0; i < N; ++i) state[i] = i;
#pragma omp target update to(state)
    LOOP (int i = 0; i < N; ++i) state[i] += table[i & 15];
#pragma omp target update from(state)
    printf("%g\n", state[3]);
#pragma omp target exit data map(delete: state)
}

void device_memory_pool(int n)
{
    int dev = omp_get_default_device(), host = omp_get_initial_device();
    double *d[2], *h = make(n);
    for (int k = 0; k < 2; ++k) d[k] = omp_target_alloc(n * sizeof(double), dev);
    double *a = d[0], *b = d[1];
    omp_target_memcpy(a, h, n * sizeof(double), 0, 0, dev, host);
#pragma omp target teams distribute parallel for is_device_ptr(a, b)
    for (int i = 0; i < n; ++i) b[i] = a[i] + 1;
    omp_target_memcpy(h, b, n * sizeof(double), 0, 0, host, dev);
    CHECK(h[0] == 1);
    for (int k = 0; k < 2; ++k) omp_target_free(d[k], dev);
    free(h);
}

int r_static_of_a_function(void)
{
    static int calls = 3;
    static double table[4] = {1, 2, 3, 4};
#pragma omp declare target enter(calls, table)
    double seen = 0;
#pragma omp target map(from: seen)
    { calls += 2; seen = calls + table[1]; }
    return (int)seen;
}
void r_adds_on_the_device(int *sum) { *sum += 1; }
void r_adds_on_the_host(int *sum) { *sum += 1; }
int r_reduction_of_tasks(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp masked
#pragma omp taskgroup task_reduction(+: sum)
    {
#pragma omp target in_reduction(+: sum) nowait
        r_adds_on_the_device(&sum);
        r_adds_on_the_host(&sum);
    }
    return sum;
}
int r_copy_and_present(void)
{
    int x = 1;
#pragma omp target defaultmap(firstprivate)
    x = 100;
#pragma omp target data map(from: x)
    {
#pragma omp target map(x)
        x = 5;
    }
    return x;
}
int main(void)
{
    init_tables();
    r_static_of_a_function();
    r_reduction_of_tasks();
    r_copy_and_present();
    static_arrays();
    device_memory_pool(10);
    return field_run(100, 3) > 1;
}
/* The host reads neighbours of what the region has written, where there is one. */
int r_neighbours(void)
{
    int t[64], errors = 0;
#pragma omp target teams distribute parallel for
    for (int j = 0; j < 64; ++j) t[j] = j;
    for (int i = 0; i < 64; ++i) {
        if (i > 0) {
            if (t[i] != t[i - 1] + 1) ++errors;
        }
        if (i == 63) continue;
        errors += t[i + 1] < t[i];
    }
    for (int i = 0; i < 64; ++i)
        if (i == 0)
            errors += t[0] != 0;
        else
            errors += t[i - 1] != i - 1;
    return errors;
}
/* A function fills a part for each of its arguments, and all of it is copied back. */
static void r_fill(double *r, int row, int column)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 10; ++i) {
        r[row * 100 + column * 10 + i] = i;
        r[row * 100 + column * 10 + i + 1000] = row;
    }
}
double r_filled_by_calls(int rows, int columns)
{
    double *r = malloc(2000 * sizeof *r), sum = 0;
#pragma omp target data map(alloc: r[0:2000])
    {
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) r_fill(r, row, column);
#pragma omp target update from(r[0:2000])
    }
    for (int i = 0; i < 2000; ++i) sum += r[i];
    free(r);
    return sum;
}
/* One call gives several pieces of memory with memory in them, of which only one has changed on the device. */
static field *r_new_field(void)
{
    field *f = malloc(sizeof *f);
    f->x = malloc(100 * sizeof *f->x);
    for (int i = 0; i < 100; ++i) f->x[i] = i;
    return f;
}
double r_new_fields(void)
{
    field *all[2], *first = NULL;
    for (int i = 0; i < 2; ++i) {
        field *f = r_new_field();
        if (i == 0) {
            first = f;
        } else {
#pragma omp target enter data map(to: f->x[0:100])
#pragma omp target teams distribute parallel for
            for (int k = 0; k < 100; ++k) f->x[k] *= 2;
        }
        all[i] = f;
    }
    double s = first->x[55], *second = all[1]->x;
#pragma omp target exit data map(from: second[0:100])
    for (int i = 0; i < 2; ++i) {
        s += all[i]->x[55];
        free(all[i]->x);
        free(all[i]);
    }
    return s;
}
/* A function gives a pointer that a structure keeps, and another one updates by way of the structure. */
typedef struct { int size; double *data; } r_buffer;
static void r_begin(r_buffer *b, int size)
{
    b->size = size;
    b->data = calloc(size, sizeof *b->data);
    double *p = b->data;
#pragma omp target enter data map(to: p[0:size])
}
static double *r_data(r_buffer *b) { return b->data; }
static void r_push(r_buffer *b)
{
    double *d = b->data;
#pragma omp target update to(d[0:b->size])
}
double r_pushed(void)
{
    r_buffer b;
    r_begin(&b, 100);
    double *p = r_data(&b);
    for (int i = 0; i < 100; ++i) p[i] = i;
    r_push(&b);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 100; ++i) p[i] *= 2;
#pragma omp target exit data map(from: p[0:100])
    double first = p[0];
    free(p);
    return first;
}
/* Two pointers change places between regions. What is unmapped, updated or written by one of them may be either. */
enum { R_TURNS = 1000 };
static void r_turn(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}
double r_turned_inside(double *a, double *b)
{
    for (int i = 0; i < R_TURNS; ++i) a[i] = b[i] = i;
#pragma omp target data map(to: a[0:R_TURNS], b[0:R_TURNS])
    for (int k = 0; k < 10; ++k) {
#pragma omp target update to(a[0:R_TURNS])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < R_TURNS; ++i) b[i] = a[i] + 1;
#pragma omp target update from(b[0:R_TURNS])
        double *t = a; a = b; b = t;
    }
    return a[3];
}
double r_turned_all(void)
{
    double *a = malloc(R_TURNS * sizeof *a), *b = malloc(R_TURNS * sizeof *b);
    double sum = r_turned_inside(a, b);
    free(a);
    free(b);
    return sum;
}
double r_turned_once(void)
{
    static double x[R_TURNS], y[R_TURNS];
    double *a = x, *b = y;
    x[3] = 1;
#pragma omp target data map(to: a[0:R_TURNS]) map(from: b[0:R_TURNS])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < R_TURNS; ++i) b[i] = a[i] + 1;
        double *t = a; a = b; b = t;
    }
    return x[3] + y[3];
}
double r_turned_and_removed(void)
{
    double x[R_TURNS], y[R_TURNS], *a = x, *b = y;
    for (int i = 0; i < R_TURNS; ++i) x[i] = y[i] = i;
#pragma omp target enter data map(to: a[0:R_TURNS], b[0:R_TURNS])
    for (int k = 0; k < 11; ++k) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < R_TURNS; ++i) b[i] = a[i] + 1;
        double *t = a; a = b; b = t;
    }
#pragma omp target exit data map(from: a[0:R_TURNS]) map(release: b[0:R_TURNS])
    return a[3];
}
double r_turned_and_updated(void)
{
    double x[R_TURNS], y[R_TURNS], *a = x, *b = y;
    for (int i = 0; i < R_TURNS; ++i) x[i] = y[i] = i;
#pragma omp target data map(to: a[0:R_TURNS], b[0:R_TURNS])
    {
        for (int k = 0; k < 11; ++k) {
#pragma omp target teams distribute parallel for
            for (int i = 0; i < R_TURNS; ++i) b[i] = a[i] + 1;
            r_turn(&a, &b);
        }
#pragma omp target update from(a[0:R_TURNS])
    }
    return a[3];
}
double r_one_of_two(int which)
{
    double x[R_TURNS], y[R_TURNS], sum = 0;
    for (int i = 0; i < R_TURNS; ++i) x[i] = y[i] = i;
#pragma omp target data map(to: x, y)
    {
        double *p = x;
        if (which) p = y;
        p[3] = 5;
#pragma omp target update to(p[0:R_TURNS])
#pragma omp target map(tofrom: sum)
        for (int i = 0; i < R_TURNS; ++i) sum += x[i] + y[i];
    }
    return sum;
}
double r_member_by_pointer(void)
{
    struct { double a[8], b[8]; } s = {{1}, {2}};
    double *p = s.b, sum = 0;
#pragma omp target data map(tofrom: s)
    {
        p[3] = 5;
#pragma omp target update to(s)
#pragma omp target map(tofrom: sum)
        sum += s.b[3];
#pragma omp target
        p[2] = 4;
    }
    return sum + s.b[2];
}
/* What the host writes while the device has newer values is copied there, written again, or not what comes back. */
typedef struct { int first, second; } r_pair;
typedef struct { int k; r_pair in[4]; union { int u; float f; }; } r_deep;
int r_both_write(r_pair *p, int *a, int n)
{
#pragma omp target data map(tofrom: p[0:R_TURNS])
    {
#pragma omp target
        p[0].first = 1;
        p[2].second = 4;
#pragma omp target update to(p[2:1])
        p[3].first += 1;
#pragma omp target update to(p[3:1])
    }
    int s = p[2].second + p[3].first + p[1].first;
#pragma omp target data map(tofrom: p[0:R_TURNS])
    {
        p[2].second = 4;
        p[3].second = 4;
#pragma omp target
        for (int i = 0; i < R_TURNS; ++i) p[i].second = i;
    }
    s += p[2].second + p[3].second;
#pragma omp target data map(tofrom: a[0:R_TURNS])
    {
        a[2] = 4;
        a[3] = 4;
#pragma omp target
        a[0] = 1;
    }
    a[2] = 5;
    for (int i = 3; i < R_TURNS; ++i) a[i] = 3;
    s += a[2] + a[3] + a[0];
#pragma omp target enter data map(to: a[0:R_TURNS])
    a[n] = 110;
#pragma omp target map(always, tofrom: a[0:R_TURNS])
    a[0] = 3;
    a[12] = 4;
#pragma omp target update from(a[0:12])
    s += a[12] + a[11] + a[n];
#pragma omp target exit data map(delete: a[0:R_TURNS])
    return s;
}
int r_members_of_elements(r_deep *d)
{
#pragma omp target teams distribute parallel for map(from: d[0:R_TURNS])
    for (int i = 0; i < R_TURNS; ++i) {
        d[i].k = 1;
        d[i].f = 3;
        for (int j = 0; j < 4; ++j) d[i].in[j].second = d[i].in[j].first = i;
    }
    int s = 0;
    for (int i = 0; i < R_TURNS; ++i) s += d[i].in[2].first + d[i].u;
    return s;
}

/* A loop that only its break ends has written in the passes before. */
int next_value(void);
static void read_all(float *values)
{
    while (1) {
        const int next = next_value();
        if (next < 0) {
            break;
        }
        values[next] = next;
    }
}
float sum_of_read(int at)
{
    float values[64], sum = 0;
    read_all(values);
#pragma omp target map(to: values) map(tofrom: sum)
    for (int i = 0; i < 64; ++i)
        sum += values[i];
    return sum + values[at];
}

/* Array shaping: the rows are those of what the pointer leads to. */
double shaped_updates(void)
{
    double a[6][8], *p = &a[0][0];
    for (int i = 0; i < 48; ++i)
        p[i] = 0;
#pragma omp target enter data map(to: p[0:48])
    a[4][1] = 500;
    a[4][3] = 501;
#pragma omp target update to((([6][8])p)[4:1][1:2:2])
#pragma omp target map(present, alloc: p[0:48])
    p[8] = p[33];
#pragma omp target update from((([6][8])p)[1:1][0:1])
    const double found = a[1][0];
#pragma omp target exit data map(from: p[0:48])
    return found + a[4][1] + a[4][3];
}

/* The end of `do` is behind its body, which writes the copy first. Threads that wait for each other keep an order. */
extern int omp_get_thread_num(void);
int turns(void)
{
    int turn = 0, sum = 0, now;
#pragma omp target parallel num_threads(4) map(tofrom: turn, sum) private(now)
    {
        const int me = omp_get_thread_num();
        do {
#pragma omp atomic read acquire
            now = turn;
        } while (now != me);
        sum += me;
#pragma omp atomic write release
        turn = me + 1;
    }
#pragma omp target parallel num_threads(4) map(tofrom: turn, sum) private(now)
    {
        const int me = omp_get_thread_num();
        do {
#pragma omp atomic read
            now = turn;
#pragma omp flush
        } while (now != 4 + me);
        sum += me;
#pragma omp flush
#pragma omp atomic write
        turn = 5 + me;
    }
    return sum;
}

/* Each team's threads load a row with its neighbours: the first threads have another element each. */
void smoothed_in_teams(int n, const double *in, double *out)
{
    enum { WIDTH = 128, HALO = 3 };
#pragma omp target teams distribute map(to: in[0:n + 2 * HALO]) map(from: out[0:n])
    for (int b = 0; b < n / WIDTH; ++b) {
        double row[WIDTH + 2 * HALO];
#pragma omp parallel for
        for (int j = 0; j < WIDTH; ++j) {
            row[j + HALO] = in[b * WIDTH + j + HALO];
            if (j < HALO) {
                row[j] = in[b * WIDTH + j];
                row[j + HALO + WIDTH] = in[b * WIDTH + j + HALO + WIDTH];
            }
        }
#pragma omp parallel for
        for (int j = 0; j < WIDTH; ++j) {
            double sum = 0;
            for (int k = 0; k <= 2 * HALO; ++k)
                sum += row[j + k];
            out[b * WIDTH + j] = sum;
        }
    }
}

/* A section in use_device_addr makes its pointer one of the device. */
void device_section(double *given)
{
    double *h = malloc(N * sizeof *h);
    for (int i = 0; i < N; ++i)
        h[i] = given[i];
#pragma omp target data map(tofrom: h[0:N]) use_device_addr(h[0:N])
    {
#pragma omp target is_device_ptr(h)
        h[3] = h[2];
    }
    given[0] = h[3];
    free(h);
}

/* Rows that are mapped one by one attach the pointers of an array, which itself is not copied. */
void attached_rows(double *all)
{
    double *rows[4];
    for (int i = 0; i < 4; ++i)
        rows[i] = &all[i * N];
#pragma omp target enter data map(alloc: rows)
    for (int i = 0; i < 4; ++i) {
#pragma omp target enter data map(to: rows[i][0:N])
    }
#pragma omp target
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < N; ++j)
            rows[i][j] += 1;
    for (int i = 0; i < 4; ++i) {
#pragma omp target exit data map(from: rows[i][0:N])
    }
#pragma omp target exit data map(delete: rows)
}

/* Each element of an array of structures has a pointer of its own, to other memory. */
struct row { double *values; int length; };
void own_rows(struct row *rows, int n)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < rows[i].length; ++j)
            rows[i].values[j] *= 2;
}

/* A list item leads through the first element, and the region by '->'. */
struct inner { int n, *p; };
struct outer { struct inner *in; };
int through_the_first(int *numbers)
{
    struct inner in = {N, numbers};
    struct outer o = {&in};
    int s = 0;
#pragma omp target map(to: o, o.in[0:1], o.in[0].p[0:N]) map(tofrom: s)
    for (int i = 0; i < o.in->n; ++i)
        s += o.in->p[i];
    return s;
}
