/* Wrong: one side reads what the other has changed, without an update in between. */
#include <stdio.h>
#include <stdlib.h>
#define N 100
typedef struct { int n; double scale; } settings;

void host_reads_in_data(double *out)
{
    double a[N];
#pragma omp target data map(from: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
        for (int i = 0; i < N; ++i)
            out[i] = a[i]; // rex-expect: stale
    }
}
void host_reads_a_scalar(void)
{
    int n = 0;
#pragma omp target data map(tofrom: n)
    {
#pragma omp target map(tofrom: n)
        n = 5;
        printf("%d\n", n); // rex-expect: stale
    }
}
void device_reads_a_scalar(int *out)
{
    int n = 1, m = 0;
#pragma omp target data map(tofrom: n)
    {
        n = 2;
#pragma omp target map(tofrom: n) map(from: m)
        m = n; // rex-expect: stale
    }
    *out = m;
}
void device_reads_an_array(double *out)
{
    double a[N] = {0};
#pragma omp target data map(to: a)
    {
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target teams distribute parallel for map(from: out[0:N])
        for (int i = 0; i < N; ++i)
            out[i] = a[i]; // rex-expect: stale
    }
}
void after_enter(double *out)
{
    double *a = calloc(N, sizeof *a);
#pragma omp target enter data map(to: a[0:N])
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for map(from: out[0:N])
    for (int i = 0; i < N; ++i)
        out[i] = a[i]; // rex-expect: stale
#pragma omp target exit data map(release: a[0:N])
    free(a);
}
void before_exit(void)
{
    double *a = calloc(N, sizeof *a);
#pragma omp target enter data map(to: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a[i] = i;
    for (int i = 0; i < N; ++i)
        printf("%f\n", a[i]); // rex-expect: stale
#pragma omp target exit data map(from: a[0:N])
    free(a);
}
void wrong_direction(double *out)
{
    double a[N] = {0};
#pragma omp target data map(to: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
        for (int i = 0; i < N; ++i)
            out[i] = a[i]; // rex-expect: stale
#pragma omp target update from(a)
    }
}
void tofrom_inside_of_data(void)
{
    int n = 0;
#pragma omp target data map(to: n)
    {
#pragma omp target map(tofrom: n)
        n = 4;
        if (n > 3) // rex-expect: stale
            puts("never");
#pragma omp target update from(n)
    }
}
void a_member(double *out)
{
    settings s = {1, 2};
#pragma omp target data map(to: s)
    {
        s.scale = 3;
#pragma omp target map(to: s) map(from: out[0:1])
        out[0] = s.scale; // rex-expect: stale
    }
}
void one_element(double *out)
{
    double a[N] = {0};
#pragma omp target data map(to: a)
    {
        a[7] = 5;
#pragma omp target map(from: out[0:1])
        out[0] = a[7]; // rex-expect: stale
    }
}
void in_a_time_loop(int *out)
{
    int n = 0, m = 0;
#pragma omp target data map(to: n)
    for (int t = 0; t < 10; ++t) {
#pragma omp target map(to: n) map(from: m)
        m = n; // rex-expect: stale
        n = t;
    }
    *out = m;
}
static void change(int *p)
{
    *p = 9;
}
void in_a_function(int *out)
{
    int n = 0, m = 0;
#pragma omp target data map(to: n)
    {
        change(&n);
#pragma omp target map(to: n) map(from: m)
        m = n; // rex-expect: stale
    }
    *out = m;
}
void perhaps_other_elements(double *a, int k)
{
    double b[N] = {0};
#pragma omp target data map(to: b)
    {
        b[k] = 5;
#pragma omp target map(from: a[0:1])
        a[0] = b[7]; // rex-expect: stale (likely)
    }
}
void of_a_parameter(double *a, double *out)
{
#pragma omp target data map(to: a[0:N])
    {
        a[3] = 5;
#pragma omp target map(from: out[0:1])
        out[0] = a[3]; // rex-expect: stale (likely)
    }
}
void two_regions(void)
{
    double a[N];
#pragma omp target data map(alloc: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] *= 2;
        printf("%f\n", a[0]); // rex-expect: stale
#pragma omp target update from(a)
    }
}

void one_end_updated(void)
{
    double u[N];
#pragma omp target data map(from: u)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            u[i] = i;
#pragma omp target update from(u[0:1])
        printf("%g %g\n", u[0], u[N - 1]); // rex-expect: stale
    }
}
int left_early(int *a, int n)
{
    int x[N] = {0};
    if (n < 1)
        goto out;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target
        x[0] = a[0];
        a[1] = x[0]; // rex-expect: stale
    }
out:
    return a[1];
}

/* Right. */

void update_from(double *out)
{
    double a[N];
#pragma omp target data map(from: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target update from(a)
        for (int i = 0; i < N; ++i)
            out[i] = a[i];
    }
}
void update_to(int *out)
{
    int n = 1, m = 0;
#pragma omp target data map(tofrom: n)
    {
        n = 2;
#pragma omp target update to(n)
#pragma omp target map(tofrom: n) map(from: m)
        m = n;
    }
    *out = m;
}
void always(int *out)
{
    int n = 1, m = 0;
#pragma omp target data map(to: n)
    {
        n = 2;
#pragma omp target map(always, to: n) map(from: m)
        m = n;
    }
    *out = m;
}
void behind_the_data(double *out)
{
    double a[N];
#pragma omp target data map(from: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
    }
    for (int i = 0; i < N; ++i)
        out[i] = a[i];
}
void host_only_reads(double *out)
{
    double a[N] = {1};
#pragma omp target data map(to: a)
    {
#pragma omp target map(from: out[0:N])
        out[0] = a[0];
        out[1] = a[1];
    }
}
void other_elements(double *out)
{
    double a[N] = {0};
#pragma omp target data map(to: a)
    {
        for (int i = 0; i < 10; ++i)
            a[i] = i;
#pragma omp target teams distribute parallel for map(from: out[0:N])
        for (int i = 10; i < N; ++i)
            out[i] = a[i];
    }
}
void other_member(double *out)
{
    settings s = {1, 2};
#pragma omp target data map(to: s)
    {
        s.n = 3;
#pragma omp target map(to: s) map(from: out[0:1])
        out[0] = s.scale;
    }
}
void by_value(double *out)
{
    int n = 1;
#pragma omp target data map(to: n)
    {
        n = 2;
#pragma omp target map(from: out[0:1])
        out[0] = n;
    }
}
void time_loop(double *out)
{
    double a[N] = {0};
#pragma omp target data map(tofrom: a)
    for (int t = 0; t < 10; ++t) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] += t;
#pragma omp target update from(a)
        out[t] = a[0];
    }
}
void update_of_a_section(double *out)
{
    double a[N];
#pragma omp target data map(alloc: a)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target update from(a[0:1])
        out[0] = a[0];
    }
}
extern void fetch(double *);
void updated_elsewhere(double *out)
{
    double a[N];
#pragma omp target data map(alloc: a)
    {
#pragma omp target
        a[0] = 1;
        fetch(a);
        out[0] = a[0];
    }
}
static void get(double *a)
{
#pragma omp target update from(a[0:N])
}
void updated_by_a_function(double *out)
{
    double a[N];
#pragma omp target data map(alloc: a)
    {
#pragma omp target
        a[0] = 1;
        get(a);
        out[0] = a[0];
    }
}
void swapped(double *out)
{
    double *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
#pragma omp target data map(tofrom: a[0:N], b[0:N])
    for (int t = 0; t < 4; ++t) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            b[i] = a[i] + 1;
        double *other = a;
        a = b;
        b = other;
    }
    out[0] = a[0];
    free(a);
    free(b);
}
void on_a_condition(int wanted, double *out)
{
    double a[N] = {0};
#pragma omp target data map(to: a)
    {
        if (wanted)
            a[0] = 1;
        if (wanted) {
#pragma omp target update to(a)
        }
#pragma omp target map(from: out[0:1])
        out[0] = a[0];
    }
}
void only_written_again(void)
{
    int n = 0;
#pragma omp target data map(tofrom: n)
    {
#pragma omp target map(tofrom: n)
        n = 5;
        n = 3;
        printf("%d\n", n);
#pragma omp target update to(n)
    }
}
void both_ends_updated(void)
{
    double u[N];
#pragma omp target data map(from: u)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            u[i] = i;
#pragma omp target update from(u[0:1], u[N - 1:1])
        printf("%g %g\n", u[0], u[N - 1]);
#pragma omp target
        u[5] = 5;
        printf("%g\n", u[0]);
    }
}
struct pair {
    int first, second;
};
void member_beside(struct pair *p)
{
    int seen = 0;
#pragma omp target data map(tofrom: p[0:1])
    {
#pragma omp target
        p->first = 5;
        seen = p->second;
    }
    printf("%d\n", seen);
}

/* What the host has written while the device had the data is lost where the data comes back. */
int replaced(int *a, int *b, int n)
{
#pragma omp target data map(tofrom: a[0:n], b[0:n])
    {
#pragma omp target
        a[1] = b[1] = 1;
        a[2] = 20;
        b[2] = 20;
#pragma omp target update to(b[2:1])
    }
    return a[2] + b[2]; // rex-expect: stale (likely)
}
int never_copied(int *a, int *b)
{
#pragma omp target enter data map(to: a[0:8], b[0:8])
    a[3] = 1;
    b[3] = 1;
#pragma omp target exit data map(from: a[0:8]) map(release: b[0:8])
    return a[3] + b[3]; // rex-expect: stale (likely)
}
int updated_over(void)
{
    int a[8] = {0}, seen = 0;
#pragma omp target data map(to: a[0:8])
    {
#pragma omp target
        a[0] = 1;
        a[4] = 2;
#pragma omp target update from(a[0:8])
        seen += a[4]; // rex-expect: stale
        a[4] = 3;
        seen += a[4];
    }
    return seen;
}
int written_again(int *a, int n)
{
#pragma omp target data map(tofrom: a[0:n])
    {
        a[2] = 20;
#pragma omp target
        for (int i = 0; i < n; ++i)
            a[i] = i;
    }
#pragma omp target data map(tofrom: a[0:n])
    {
#pragma omp target
        a[1] = 1;
        a[2] = 20;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            a[i] = i;
    }
    return a[2];
}

/* Whether this maps is known only to the run: without it, the region copies for itself. */
double mapped_or_not(int n)
{
    double x[100] = {1};
    double first;
#pragma omp target data if(n > 1000) map(to: x)
    {
#pragma omp target map(tofrom: x)
        x[0] = n;
        first = x[0];
    }
    return first;
}

struct column {
    int n;
    double *x;
};

/* A pointer in a structure is attached, which does not hide what the host changes beside it. */
void changed_beside_a_section(struct column *f, int *seen)
{
#pragma omp target enter data map(to: f[0:1])
#pragma omp target enter data map(to: f->x[0:8])
    f->n = 3;
#pragma omp target map(from: seen[0:1])
    seen[0] = f->n; // rex-expect: stale (likely)
#pragma omp target exit data map(release: f->x[0:8])
#pragma omp target exit data map(release: f[0:1])
}

void updated_beside_a_section(struct column *f, int *seen)
{
#pragma omp target enter data map(to: f[0:1])
#pragma omp target enter data map(to: f->x[0:8])
    f->n = 3;
#pragma omp target update to(f->n)
#pragma omp target map(from: seen[0:1])
    seen[0] = f->n;
#pragma omp target exit data map(release: f->x[0:8])
#pragma omp target exit data map(release: f[0:1])
}

double *given(void);
double of_a_pointer_from_elsewhere(void)
{
    double *x = given(), r;
#pragma omp target data map(tofrom: x[0:8])
    {
#pragma omp target
        x[3] = 1;
        r = x[3]; // rex-expect: stale (likely)
    }
    return r;
}
double of_a_pointer_from_elsewhere_right(void)
{
    double *x = given(), r;
#pragma omp target data map(tofrom: x[0:8])
    {
#pragma omp target
        x[3] = 1;
    }
    r = x[3];
    return r;
}

/* One structure, which a caller has mapped, behind a pointer: its members are told apart by their names. */
struct heater {
    int n;
    double *x, power, spent;
};
static void heat(struct heater *h)
{
#pragma omp target teams distribute parallel for map(tofrom: h->x[0:h->n])
    for (int i = 0; i < h->n; ++i)
        h->x[i] += h->power; // rex-expect: stale
}
void through_a_pointer(double *x)
{
    struct heater h = {100, x, 2, 0};
#pragma omp target enter data map(to: h)
    h.power = 3;
    heat(&h);
#pragma omp target exit data map(release: h)
}
static void heat_more(struct heater *h)
{
#pragma omp target teams distribute parallel for map(tofrom: h->x[0:h->n])
    for (int i = 0; i < h->n; ++i)
        h->x[i] += h->power;
}
void through_a_pointer_right(double *x)
{
    struct heater h = {100, x, 2, 0};
#pragma omp target enter data map(to: h)
    h.spent = 3;
    heat_more(&h);
#pragma omp target exit data map(release: h)
}
/* A pointer that moves leads to other elements. */
void through_a_pointer_that_moves(double *x)
{
    struct heater h[2] = {{100, x, 2, 0}, {100, x, 2, 0}};
#pragma omp target enter data map(to: h)
    h[0].power = 3;
#pragma omp target map(tofrom: x[0:2])
    {
        struct heater *p = h;
        ++p;
        x[1] += p->power;
    }
#pragma omp target exit data map(release: h)
}
