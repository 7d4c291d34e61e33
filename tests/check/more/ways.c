/* What happens on some of the ways through a program, by functions of the library, and by copies of structures. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 64

/* Functions of the library write as assignments do. */
double filled_by_memset(double *x)
{
    double s = 0;
#pragma omp target data map(to: x[0:N])
    {
        memset(x, 0, N * sizeof *x);
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < N; ++i)
            s += x[i]; // rex-expect: stale (likely)
    }
    return s;
}
double filled_by_fread(FILE *in)
{
    double s = 0, x[N];
#pragma omp target data map(alloc: x)
    {
        size_t got = fread(x, sizeof *x, N, in);
#pragma omp target update to(x)
        got += fread(x, sizeof *x, N, in);
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < N; ++i)
            s += x[i]; // rex-expect: stale (likely)
        s += got;
    }
    return s;
}
double copied_over(double *x, const double *from, int n)
{
#pragma omp target data map(tofrom: x[0:2 * n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < 2 * n; ++i)
            x[i] = i;
        memcpy(x, from, n * sizeof *x);
    }
    return x[n - 1]; // rex-expect: stale (likely)
}
/* Right: the update follows, and the other half. */
double filled_and_updated(double *x)
{
    double s = 0;
#pragma omp target data map(to: x[0:2 * N])
    {
        memset(x, 0, N * sizeof *x);
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = N; i < 2 * N; ++i)
            s += x[i];
#pragma omp target update to(x[0:N])
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < N; ++i)
            s += x[i];
    }
    return s;
}

/* A copy that is old behind some ways only. */
double changed_sometimes(double *x, int steps)
{
    double s = 0;
#pragma omp target data map(to: x[0:N])
    {
        for (int t = 0; t < steps; ++t) {
            if (t % 10 == 0)
                x[0] = t;
#pragma omp target teams distribute parallel for reduction(+: s)
            for (int i = 0; i < N; ++i)
                s += x[i]; // rex-expect: stale (likely)
        }
    }
    return s;
}
double until_it_is_small(double *x, double limit)
{
    double s = 2 * limit;
#pragma omp target data map(tofrom: x[0:N])
    {
        while (s > limit) {
            s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
            for (int i = 0; i < N; ++i) {
                x[i] *= 0.5;
                s += x[i];
            }
        }
        s += x[0]; // rex-expect: stale (likely)
    }
    return s;
}
double both_have_written(double *x, int steps, int k)
{
#pragma omp target data map(tofrom: x[0:N])
    for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            x[i] += 1; // rex-expect: stale (likely)
        x[k] = t;
    }
    return x[0];
}
/* Right: what is done under a condition is made good under the same one, or before it is used. */
double made_good(double *x, int steps, int is_driven)
{
    double s = 0;
#pragma omp target data map(tofrom: x[0:N])
    {
        for (int t = 0; t < steps; ++t) {
            if (is_driven)
                x[0] = t;
            s += 1;
            if (is_driven) {
#pragma omp target update to(x[0:1])
            }
#pragma omp target teams distribute parallel for reduction(+: s)
            for (int i = 0; i < N; ++i)
                s += x[i];
        }
    }
    return s;
}
double fetched_sometimes(double *x, int steps, int on_device)
{
    double s = 0;
#pragma omp target data map(tofrom: x[0:N])
    {
        for (int t = 0; t < steps; ++t) {
            if (on_device) {
#pragma omp target teams distribute parallel for
                for (int i = 0; i < N; ++i)
                    x[i] += 1;
            }
            if (on_device) {
#pragma omp target update from(x[0:N])
            }
            s += x[t];
        }
    }
    return s;
}

/* Only a part of what is read has been updated. */
double first_row_only(int n, int m, double *a)
{
    double s = 0;
#pragma omp target data map(tofrom: a[0:n * m])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n * m; ++i)
            a[i] = i;
#pragma omp target update from(a[0:m])
        for (int i = 0; i < n * m; ++i)
            s += a[i]; // rex-expect: stale (likely)
    }
    return s;
}
double half_of_it(double *a)
{
    double s = 0;
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target update from(a[0:N / 2])
        for (int i = 0; i < N; ++i)
            s += a[i]; // rex-expect: stale (likely)
    }
    return s;
}
/* Right: the halves one after the other, and a part that is read. */
double both_halves(double *a)
{
    double s = 0;
#pragma omp target data map(tofrom: a[0:N])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target update from(a[0:N / 2])
        for (int i = 0; i < N / 2; ++i)
            s += a[i];
#pragma omp target update from(a[N / 2:N / 2])
        for (int i = 0; i < N; ++i)
            s += a[i];
    }
    return s;
}

/* A structure that is a copy has the pointers of the other one. */
struct layer {
    int n;
    double *weights;
};
static double forward(struct layer l)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += l.weights[i]; // rex-expect: unmapped-pointer
    return s;
}
double by_value(void)
{
    struct layer own = {N, malloc(N * sizeof(double))}, other;
    memset(own.weights, 0, N * sizeof(double));
    double s = forward(own);
    other = own;
    double *w = other.weights;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += w[i]; // rex-expect: unmapped-pointer
    free(own.weights);
    return s;
}
/* Right: it is mapped by the name in the other structure. */
double mapped_there(void)
{
    struct layer own = {N, malloc(N * sizeof(double))}, other = own;
    memset(own.weights, 0, N * sizeof(double));
    double s = 0, *w = other.weights;
#pragma omp target data map(to: own.weights[0:N])
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += w[i];
    free(own.weights);
    return s;
}

/* The least and the greatest value, by comparing. */
typedef struct {
    double least, greatest;
} range;
range found(const double *x)
{
    range r = {1e30, -1e30};
#pragma omp target map(to: x[0:N]) firstprivate(r)
    for (int i = 0; i < N; ++i) {
        if (x[i] < r.least)
            r.least = x[i];
        if (r.greatest < x[i])
            r.greatest = x[i]; // rex-expect: lost-result (likely)
    }
    return r;
}

/* All threads use what a function keeps in a variable of the device. */
#pragma omp declare target
static double scratch[8];
static double smoothed(const double *x, int at)
{
    double s = 0;
    for (int k = 0; k < 8; ++k)
        scratch[k] = x[at + k]; // rex-expect: race
    for (int k = 0; k < 8; ++k)
        s += scratch[k];
    return s;
}
static double smoothed_alone(const double *x, int at)
{
    double s = 0, own[8];
    for (int k = 0; k < 8; ++k)
        own[k] = x[at + k];
    for (int k = 0; k < 8; ++k)
        s += own[k];
    return s;
}
static void all_wait(void)
{
#pragma omp barrier
}
#pragma omp end declare target
void smooth(const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:N + 8]) map(from: y[0:N])
    for (int i = 0; i < N; ++i)
        y[i] = smoothed(x, i) + smoothed_alone(x, i);
}
void half_of_the_team_waits(int *a)
{
#pragma omp target parallel num_threads(4) map(tofrom: a[0:4])
    {
        int me = omp_get_thread_num();
        a[me] = 1;
        all_wait();
        if (me < 2)
            all_wait(); // rex-expect: barrier (likely)
    }
}

/* A part that a region has not written before it reads it. */
void one_less(double *w, double *r)
{
#pragma omp target teams distribute parallel for map(alloc: w[0:8 * N]) map(from: r[0:N])
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < 7; ++j)
            w[8 * i + j] = i;
        r[i] = 0;
        for (int j = 0; j < 8; ++j)
            r[i] += w[8 * i + j]; // rex-expect: unset (likely)
    }
}
void all_of_them(double *w, double *r)
{
#pragma omp target teams distribute parallel for map(alloc: w[0:8 * N]) map(from: r[0:N])
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < 7; ++j)
            w[8 * i + j] = i;
        w[8 * i + 7] = 0;
        r[i] = 0;
        for (int j = 0; j < 8; ++j)
            r[i] += w[8 * i + j];
    }
}

/* Memory of the device of which only a function knows. */
void kept_for_ever(double *x)
{
    double *t = omp_target_alloc(N * sizeof *t, omp_get_default_device()); // rex-expect: leak
#pragma omp target is_device_ptr(t) map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i) {
        t[i] = x[i];
        x[i] += t[i];
    }
}
/* Right: another function gets it, or it is released where it was given at all. */
static double *new_buffer(void)
{
    double *t = omp_target_alloc(N * sizeof *t, omp_get_default_device());
    return t;
}
static void no_buffer(double *t)
{
    omp_target_free(t, omp_get_default_device());
}
int with_a_buffer(double *x)
{
    double *t = new_buffer();
    if (t == NULL)
        return -1;
#pragma omp target is_device_ptr(t) map(tofrom: x[0:N])
    for (int i = 0; i < N; ++i) {
        t[i] = x[i];
        x[i] += t[i];
    }
    no_buffer(t);
    return 0;
}

/* An address of the host that is taken for one of the device. */
static void scaled(double *x)
{
#pragma omp target teams distribute parallel for is_device_ptr(x)
    for (int i = 0; i < N; ++i)
        x[i] = 3 * i; // rex-expect: unmapped-pointer
}
static void scaled_there(double *x)
{
#pragma omp target teams distribute parallel for is_device_ptr(x)
    for (int i = 0; i < N; ++i)
        x[i] = 3 * i;
}
double of_which_side(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), s;
#pragma omp target enter data map(alloc: x[0:N])
    scaled(x);
#pragma omp target exit data map(delete: x[0:N])
#pragma omp target data map(from: y[0:N])
    {
#pragma omp target data use_device_ptr(y)
        scaled_there(y);
    }
    s = y[3];
    free(x);
    free(y);
    return s;
}

/* A number of elements outside of functions, which gets one value. */
static int count, most;
static double *states;
void begin_states(int n)
{
    count = n;
    states = calloc(n, sizeof *states);
#pragma omp target enter data map(to: states[0:n])
}
void seed_states(void)
{
    for (int i = 0; i < count; ++i)
        states[i] = i;
}
double draw(void)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < count; ++i) {
        states[i] += 1; // rex-expect: stale
        s += states[i];
    }
    return s;
}
double drawn(int n)
{
    begin_states(n);
    double s = draw();
    seed_states();
    s += draw();
#pragma omp target exit data map(delete: states[0:count])
    free(states);
    return s;
}
/* Right: nothing is known of a number that changes. */
double grown(double *x, int n)
{
    most = n;
#pragma omp target data map(tofrom: x[0:most])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < most; ++i)
            x[i] = i;
        most += 1;
    }
    return x[most - 1];
}

/* A variable of the device that a plain function of the host changes. */
#pragma omp declare target
static double gravity = 9.81;
#pragma omp end declare target
static void set_planet(int is_mars)
{
    if (is_mars)
        gravity = 3.71;
}
void fall(double *h, int is_mars)
{
    set_planet(is_mars);
#pragma omp target teams distribute parallel for map(from: h[0:N])
    for (int i = 0; i < N; ++i)
        h[i] = gravity * i; // rex-expect: stale (likely)
}
int main(int argc, char **argv)
{
    double h[N];
    fall(h, argc > 1);
    printf("%s %g\n", argv[0], h[1] + drawn(argc) + of_which_side());
    return 0;
}

/* The same in a call that copies to or from the device. */
void copied_by_a_call(int n, int *own)
{
    const int host = omp_get_initial_device(), device = omp_get_default_device();
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; ++i)
        a[i] = i;
#pragma omp target data map(to: a[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            a[i] *= 3;
        omp_target_memcpy(own, a, n * sizeof(int), 0, 0, host, device); // rex-expect: unmapped-pointer
#pragma omp target data use_device_ptr(a)
        omp_target_memcpy(own, a, n * sizeof(int), 0, 0, host, device);
    }
    free(a);
}

/* Variables that the device always has, which a function sets on the host. */
#pragma omp declare target
static double table[3] = {0.25, 0.5, 0.25}, factor = 1, kept = 2;
static double filtered(const double *p)
{
    return kept * p[0] + table[1] * p[1]; // rex-expect: stale
}
#pragma omp end declare target
static void set_table(double side)
{
    table[1] = 1 - 2 * side;
}
void use_table(int n, const double *in, double *out)
{
#pragma omp target teams distribute parallel for map(to: in[0:n + 1]) map(from: out[0:n])
    for (int i = 0; i < n; ++i)
        out[i] = filtered(in + i);
}
void set_and_use_table(int n, const double *in, double *out)
{
    set_table(0.125);
#pragma omp target teams distribute parallel for map(to: in[0:n + 1]) map(from: out[0:n])
    for (int i = 0; i < n; ++i)
        out[i] = filtered(in + i);
}
void use_table_right(double *out, double side)
{
    set_table(side);
#pragma omp target update to(table)
    factor = side;
#pragma omp target map(from: out[0:3])
    for (int i = 0; i < 3; ++i)
        out[i] = table[i] * factor; // rex-expect: stale
#pragma omp target update to(factor)
#pragma omp target map(from: out[0:3])
    for (int i = 0; i < 3; ++i)
        out[i] = table[i] * factor;
}

/* A place that '?:' chooses is one of two. */
void chosen_places(int n, const int *x, int *odd, int *even)
{
    int a, b;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: odd[0:1], even[0:1])
    for (int i = 0; i < n; ++i)
        *(x[i] % 2 ? odd : even) += 1; // rex-expect: reduction (likely)
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: odd[0:n], even[0:n])
    for (int i = 0; i < n; ++i)
        (x[i] % 2 ? odd : even)[i] += 1;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: odd[0:n]) map(from: even[0:n])
    for (int i = 0; i < n; ++i)
        (x[i] % 2 ? odd : even)[i] = 1; // rex-expect: unset (likely)
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: odd[0:n]) private(a, b)
    for (int i = 0; i < n; ++i) {
        a = b = 0;
        *(x[i] % 2 ? &a : &b) += 1;
        odd[i] = a - b;
    }
}
