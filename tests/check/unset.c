/* Wrong: a region reads device memory that nothing has written. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#define N 100

void map_from(double *x)
{
    double a[N];
#pragma omp target teams distribute parallel for map(from: a) map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] += a[i]; // rex-expect: unset
}
void update_of_from(void)
{
    double a[N] = {0};
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; ++i)
        a[i] += 1; // rex-expect: unset
}
int scalar_from(void)
{
    int n = 4;
#pragma omp target map(from: n)
    n = n + 1; // rex-expect: unset
    return n;
}
int scalar_alloc(void)
{
    int n = 4, m = 0;
#pragma omp target map(alloc: n) map(from: m)
    m = n; // rex-expect: unset
    return m;
}
void alloc_section(double *out)
{
    double *a = malloc(N * sizeof *a);
#pragma omp target map(alloc: a[0:N]) map(from: out[0:N])
    for (int i = 0; i < N; ++i)
        out[i] = a[i]; // rex-expect: unset
    free(a);
}
void enter_alloc(double *out)
{
    double *a = malloc(N * sizeof *a);
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target map(from: out[0:N])
    for (int i = 0; i < N; ++i)
        out[i] = a[i]; // rex-expect: unset
#pragma omp target exit data map(release: a[0:N])
    free(a);
}
void data_alloc(double *out)
{
    double a[N] = {1};
#pragma omp target data map(alloc: a)
    {
#pragma omp target map(from: out[0:N])
        out[0] = a[0]; // rex-expect: unset
    }
}
void data_from(double *out)
{
    double a[N] = {1};
#pragma omp target data map(from: a)
    {
#pragma omp target map(to: a) map(from: out[0:N])
        out[0] = a[0]; // rex-expect: unset
    }
}
void sum_of_from(double *x)
{
    double s = 0;
#pragma omp target map(from: s) map(to: x[0:N])
    for (int i = 0; i < N; ++i)
        s += x[i]; // rex-expect: unset
    x[0] = s;
}
void counter(int *out)
{
    int n = 0;
#pragma omp target map(from: n)
    n++; // rex-expect: unset
    *out = n;
}
void condition(int *out)
{
    int n = 1, m = 0;
#pragma omp target map(from: n) map(tofrom: m)
    if (n) // rex-expect: unset
        m = 1;
    *out = m;
}
void rows(double *x)
{
    double c[N];
#pragma omp target teams distribute parallel for map(from: c) map(to: x[0:N * N])
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            c[i] += x[i * N + j]; // rex-expect: unset
}
static void add(double *a)
{
#pragma omp target map(from: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] *= 2; // rex-expect: unset
}
void in_a_function(void)
{
    double a[N] = {1};
    add(a);
}
void as_an_index(int *x)
{
    int k = 3;
#pragma omp target map(alloc: k) map(tofrom: x[0:N])
    x[k] = 1; // rex-expect: unset
}
void first_written_by_the_host(double *out)
{
    double a[N];
#pragma omp target enter data map(alloc: a)
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target map(from: out[0:N])
    out[0] = a[0]; // rex-expect: unset
#pragma omp target exit data map(release: a)
}

static void add_to(double *sum, double x)
{
    *sum += x; // rex-expect: unset
}
double sum_in_a_function(int n, const double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:n]) map(from: s)
    for (int i = 0; i < n; ++i)
        add_to(&s, x[i]);
    return s;
}
void private_copy(int n, double *x, double f)
{
    double t = f * f;
#pragma omp target teams distribute parallel for private(t) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i)
        x[i] *= t; // rex-expect: unset
}
void last_copy(int n, double *x)
{
    double t = 1;
#pragma omp target map(tofrom: x[0:n], t)
    {
#pragma omp parallel for lastprivate(t)
        for (int i = 0; i < n; ++i) {
            x[i] += t; // rex-expect: unset
            t = x[i];
        }
    }
}
void private_array(int n, const double *x, double *y)
{
    double w[3] = {0.25, 0.5, 0.25};
#pragma omp target teams distribute parallel for private(w) map(to: x[0:n]) map(from: y[0:n])
    for (int i = 1; i < n - 1; ++i) {
        y[i] = 0;
        for (int k = 0; k < 3; ++k)
            y[i] += w[k] * x[i - 1 + k]; // rex-expect: unset
    }
}

/* Right. */

void map_to(double *x)
{
    double a[N] = {0};
#pragma omp target teams distribute parallel for map(to: a) map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] += a[i];
}
void written_first(double *out)
{
    double t[N];
#pragma omp target map(alloc: t) map(from: out[0:N])
    for (int i = 0; i < N; ++i) {
        t[i] = i;
        out[i] = t[i];
    }
}
void written_by_another_region(double *out)
{
    double t[N];
#pragma omp target data map(alloc: t)
    {
#pragma omp target
        for (int i = 0; i < N; ++i)
            t[i] = i;
#pragma omp target map(from: out[0:N])
        for (int i = 0; i < N; ++i)
            out[i] = t[i];
    }
}
void updated(double *out)
{
    double a[N] = {1};
#pragma omp target data map(alloc: a)
    {
#pragma omp target update to(a)
#pragma omp target map(from: out[0:N])
        out[0] = a[0];
    }
}
void only_written(void)
{
    double a[N];
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < N; ++i)
        a[i] = i;
}
int set_and_added(void)
{
    int n;
#pragma omp target map(from: n)
    {
        n = 0;
        n += 2;
    }
    return n;
}
void data_to(double *out)
{
    double a[N] = {1};
#pragma omp target data map(to: a)
    {
#pragma omp target map(alloc: a) map(from: out[0:N])
        out[0] = a[0];
    }
}
void always(double *out)
{
    double a[N] = {1};
#pragma omp target data map(alloc: a)
    {
#pragma omp target map(always, to: a) map(from: out[0:N])
        out[0] = a[0];
    }
}
void reduction_into(double *x, double *out)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:N]) reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += x[i];
    *out = s;
}
void entered(double *out)
{
    double *a = calloc(N, sizeof *a);
#pragma omp target enter data map(to: a[0:N])
#pragma omp target map(from: out[0:N])
    out[0] = a[0];
#pragma omp target exit data map(release: a[0:N])
    free(a);
}
extern void fill_on_device(double *);
void filled_elsewhere(double *out)
{
    double *a = calloc(N, sizeof *a);
#pragma omp target enter data map(alloc: a[0:N])
    fill_on_device(a);
#pragma omp target map(from: out[0:N])
    out[0] = a[0];
#pragma omp target exit data map(release: a[0:N])
    free(a);
}
void address_only(long *out)
{
    double a[N];
#pragma omp target map(alloc: a) map(from: out[0:1])
    out[0] = sizeof a;
}
void row_set_first(double *x)
{
    double c[N];
#pragma omp target teams distribute parallel for map(from: c) map(to: x[0:N * N])
    for (int i = 0; i < N; ++i) {
        c[i] = 0;
        for (int j = 0; j < N; ++j)
            c[i] += x[i * N + j];
    }
}
void implicit(double *x)
{
    double a[N] = {1};
#pragma omp target map(tofrom: x[0:N])
    x[0] = a[0];
}
void own_variable(double *x)
{
#pragma omp target map(from: x[0:N])
    {
        double t = 1;
        x[0] = t;
    }
}
static void set_to(double *sum, double x)
{
    *sum = x;
}
double set_in_a_function(int n, const double *x)
{
    double s = 0;
#pragma omp target map(to: x[0:n]) map(from: s)
    set_to(&s, x[0]);
    return s;
}
void copies_with_values(int n, double *x, double f)
{
    double t = f * f, u = 0, w;
#pragma omp target teams distribute parallel for private(u, w) firstprivate(t) map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        set_to(&w, t);
        u = w;
        for (int k = 0; k < 3; ++k)
            u += x[i];
        x[i] = u;
    }
}
void private_arrays(int n, double *x)
{
    double before[4], both[4], filled[4], by_pointer[4], *to = 0;
#pragma omp target map(tofrom: x[0:n]) private(before, both, filled, by_pointer, to)
    {
        to = by_pointer;
        for (int i = 0; i < 4; ++i)
            to[i] = x[i];
        for (int i = 0; i < 4; ++i)
            set_to(&filled[i], x[i]);
        for (int i = 0; i < 4; ++i) {
            for (int k = 0; k < i; ++k)
                x[i] += before[k];
            before[i] = x[i];
            both[i] = i;
        }
        x[0] += both[1] + filled[2] + by_pointer[3];
    }
}
void kept_between(int n, double *x)
{
    double before;
#pragma omp target map(tofrom: x[0:n]) private(before)
    for (int i = 0; i < n; ++i) {
        if (i > 0)
            x[i] += before;
        before = x[i];
    }
}

double half_of_it(void)
{
    double a[N], sum = 0;
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target data map(alloc: a)
    {
#pragma omp target update to(a[0:N / 2])
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < N; ++i)
            sum += a[i]; // rex-expect: unset
    }
    return sum;
}

double the_filled_half(void)
{
    double a[N], sum = 0;
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target data map(alloc: a)
    {
#pragma omp target update to(a[0:N / 2])
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < N / 2; ++i)
            sum += a[i];
    }
    return sum;
}

double not_the_last(void)
{
    double a[N], sum = 0;
#pragma omp target data map(alloc: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N - 1; ++i)
            a[i] = i;
#pragma omp target map(tofrom: sum)
        sum = a[N - 1]; // rex-expect: unset
    }
    return sum;
}

double filled_in_two_parts(void)
{
    double a[N], sum = 0;
#pragma omp target data map(alloc: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N - 1; ++i)
            a[i] = i;
#pragma omp target
        a[N - 1] = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
        for (int i = 0; i < N; ++i)
            sum += a[i];
    }
    return sum;
}

double never_written(void)
{
    double *a = malloc(N * sizeof *a), sum = 0;
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[3]; // rex-expect: unset
    free(a);
    return sum;
}
double never_written_array(void)
{
    double a[N], sum = 0;
#pragma omp target teams distribute parallel for map(to: a) reduction(+: sum)
    for (int i = 0; i < N; ++i)
        sum += a[i]; // rex-expect: unset
    return sum;
}
double written_in_part(void)
{
    double *a = malloc(N * sizeof *a), sum = 0;
    a[1] = 1;
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[1];
#pragma omp target map(to: a[0:N]) map(tofrom: sum)
    sum += a[0]; // rex-expect: unset
    free(a);
    return sum;
}
double only_half_comes_back(void)
{
    double *a = malloc(N * sizeof *a), sum;
#pragma omp target map(from: a[0:N])
    for (int i = 0; i < N / 2; ++i)
        a[i] = i;
    sum = a[0];
    sum += a[N - 1]; // rex-expect: unset
    free(a);
    return sum;
}
double only_half_is_updated(void)
{
    double *a = malloc(N * sizeof *a), sum = 0;
#pragma omp target enter data map(alloc: a[0:N])
#pragma omp target
    a[4] = 4;
#pragma omp target exit data map(from: a[0:N])
    sum += a[4];
    sum += a[5]; // rex-expect: unset
    free(a);
    return sum;
}
double memory_of_the_device(void)
{
    double *p = omp_target_alloc(N * sizeof *p, 0), sum = 0;
#pragma omp target is_device_ptr(p) map(tofrom: sum)
    sum += p[3]; // rex-expect: unset
    omp_target_free(p, 0);
    return sum;
}
/* Right: something has written what is read, where this is not easily seen. */
void fill(double *a);
double written_elsewhere(int flag, double *other)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c), sum = 0;
    double d[N], e[N], *lists[] = {d}, *p = flag ? c : other;
    fill(a);
    memset(b, 0, N * sizeof *b);
    p[0] = 1;
    lists[0][0] = 1;
    for (int i = 0; i < N; ++i)
        if (flag || i)
            e[i] = i;
#pragma omp target map(to: a[0:N], b[0:N], c[0:N], d, e) map(tofrom: sum)
    sum += a[0] + b[0] + c[0] + d[0] + e[0];
    free(a);
    free(b);
    free(c);
    return sum;
}
double written_by_both(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), sum = 0;
    for (int i = 0; i < N / 2; ++i)
        b[i] = i;
#pragma omp target map(from: a[0:N]) map(tofrom: b[0:N])
    {
        for (int i = 0; i < N; ++i)
            a[i] = i;
        for (int i = N / 2; i < N; ++i)
            b[i] = i;
    }
    for (int i = 0; i < N; ++i)
        sum += a[i] + b[i];
    free(a);
    free(b);
    return sum;
}
double device_memory_with_values(double *host)
{
    double *p = omp_target_alloc(N * sizeof *p, 0), *q = omp_target_alloc(N * sizeof *q, 0), sum = 0;
    omp_target_memcpy(p, host, N * sizeof *p, 0, 0, 0, omp_get_initial_device());
#pragma omp target teams distribute parallel for is_device_ptr(q)
    for (int i = 0; i < N; ++i)
        q[i] = i;
#pragma omp target is_device_ptr(p, q) map(tofrom: sum)
    sum += p[3] + q[3];
    omp_target_free(p, 0);
    omp_target_free(q, 0);
    return sum;
}
double written_by_pointers_of_the_region(void)
{
    double a[N], b[N], last, sum = 0;
#pragma omp target teams distribute parallel for map(from: a)
    for (double *p = a; p < a + N; ++p)
        *p = 1;
#pragma omp target map(from: b, last) map(tofrom: sum)
    {
        double *q = b + 1;
        for (int i = 0; i < N - 1; ++i)
            q[i] = i;
        sum += b[1];
#pragma omp parallel for lastprivate(last)
        for (int i = 0; i < N; ++i)
            last = i;
    }
    for (int i = 1; i < N; ++i)
        sum += a[i] + b[i] + last;
    return sum;
}
void copies_of_iterations(double *a, int n)
{
    double t = 3, u = 4, v = 5, w = 6;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) private(t)
    for (int i = 0; i < n; ++i) {
        if (a[i] > 2)
            t = i;
        a[i] = t + 1; // rex-expect: unset (likely)
    }
#pragma omp target teams distribute parallel for map(from: a[0:n]) private(u)
    for (int i = 0; i < n; ++i)
        a[i] = i % 2 ? u : i; // rex-expect: unset (likely)
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) private(v)
    for (int i = 0; i < n; ++i) {
        if (a[i] > 2)
            v = i;
        else
            v = 3;
        a[i] = v + 1;
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) private(w)
    for (int i = 0; i < n; ++i) {
        if (a[i] > 2)
            w = i;
        else
            continue;
        a[i] = w + 1;
    }
}
double set_again_behind_its_read(double *a, int n)
{
    double t = 3, u = 4, last = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) private(t)
    for (int i = 0; i < n; ++i) {
        if (i % 2)
            t = 1;
        a[i] += t; // rex-expect: unset (likely)
        t = 2;
    }
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * 9]) private(u) reduction(+: last)
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 9; ++k) {
            if (a[i * 9 + k] > 2)
                u = a[i * 9 + k];
            last += u;
            u = 0;
        }
    return last;
}
