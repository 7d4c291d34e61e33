// Functions with mistakes that return whether they were right. The comment in front of each names the finding and what
// it advises, and with CURED defined this is followed. The file is C and C++.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 100
struct vector {
    int n;
    double *x;
};

// reduction: add reduction(+: s)
static int reduction(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double s = 0;
#ifdef CURED
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: s) reduction(+: s)
#else
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: s)
#endif
    for (int i = 0; i < N; i++)
        s += x[i];
    return s == 4950;
}

// reduction: update it in 'omp atomic'
static int atomic(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: s)
    for (int i = 0; i < N; i++)
#ifdef CURED
#pragma omp atomic
#endif
        s += x[i];
    return s == 4950;
}

// race: add private(t)
static int private_copy(void)
{
    double t;
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x) private(t)
#else
#pragma omp target teams distribute parallel for map(tofrom: x)
#endif
    for (int i = 0; i < N; i++)
    {
        t = x[i];
        x[i] = t * t;
    }
    return x[9] == 81;
}

// race: declare 't' inside
static int declared_inside(void)
{
    double t;
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; i++)
    {
#ifdef CURED
        double t = x[i];
#else
        t = x[i];
#endif
        x[i] = t * t;
    }
    return x[9] == 81;
}

// race: give the critical sections one name
static int critical_names(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double s = 0;
#pragma omp target parallel for map(to: x) map(tofrom: s)
    for (int i = 0; i < N; i++)
    {
        if (i < 50)
#pragma omp critical(low)
            s += x[i];
        else
#ifdef CURED
#pragma omp critical(low)
#else
#pragma omp critical(high)
#endif
            s += x[i];
    }
    return s == 4950;
}

// race: use 'omp atomic' or a reduction
static int critical_in_teams(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double s = 0;
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: s)
    for (int i = 0; i < N; i++)
#ifdef CURED
#pragma omp atomic
#else
#pragma omp critical
#endif
        s += x[i];
    return s == 4950;
}

// dependence: or run the loop in order
static int loop_in_order(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#ifdef CURED
#pragma omp target map(tofrom: x)
#else
#pragma omp target teams distribute parallel for map(tofrom: x)
#endif
    for (int i = 1; i < N; i++)
        x[i] += x[i - 1];
    return x[99] == 4950;
}

// race: leave out 'nowait'
static int no_wait_in_region(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    static double y[N];
#pragma omp target parallel map(tofrom: x, y)
    {
#ifdef CURED
#pragma omp for
#else
#pragma omp for nowait
#endif
    for (int i = 0; i < N; i++)
        x[i] *= 2;
#pragma omp for
    for (int i = 0; i < N; i++)
        y[i] = x[N - 1 - i];
    }
    return y[0] == 198;
}

// barrier: let all threads come to it
static int all_threads_wait(void)
{
    int a = 0;
#pragma omp target parallel map(tofrom: a)
    {
        if (omp_get_thread_num() == 0) {
            a = 1;
#ifdef CURED
        }
#endif
#pragma omp barrier
#ifndef CURED
        }
#endif
    }
    return a == 1;
}

// nesting: what is around outside of it or into a region of its own
static int one_directive(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target map(tofrom: x)
#ifndef CURED
    {
#endif
        x[0] = 5;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x)
#else
#pragma omp teams distribute parallel for
#endif
        for (int i = 1; i < N; i++)
            x[i] *= 2;
#ifndef CURED
    }
#endif
    return x[0] == 5 && x[2] == 4;
}

// unset: map it tofrom
static int tofrom_for_from(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x)
#else
#pragma omp target teams distribute parallel for map(from: x)
#endif
    for (int i = 0; i < N; i++)
        x[i] += 1;
    return x[3] == 4;
}

// unset: map it to
static int to_for_alloc(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    static double y[N];
#ifdef CURED
#pragma omp target teams distribute parallel for map(to: x) map(from: y)
#else
#pragma omp target teams distribute parallel for map(alloc: x) map(from: y)
#endif
    for (int i = 0; i < N; i++)
        y[i] = x[i];
    return y[7] == 7;
}

// unset: give it a value before it is mapped
static int a_value_before(void)
{
#ifdef CURED
    double x[N] = {0}, y[N];
#else
    double x[N], y[N];
#endif
#pragma omp target teams distribute parallel for map(to: x) map(from: y)
    for (int i = 0; i < N; i++)
        y[i] = x[i];
    return y[7] == 0;
}

// unset: write firstprivate(by)
static int firstprivate(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double by = 2;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x) firstprivate(by)
#else
#pragma omp target teams distribute parallel for map(tofrom: x) private(by)
#endif
    for (int i = 0; i < N; i++)
        x[i] *= by;
    return x[4] == 8;
}

// unset: write it before
static int device_memory(void)
{
    double seen = 0;
    const int d = omp_get_default_device();
    double *x = (double *)omp_target_alloc(8, d);
#pragma omp target is_device_ptr(x) map(from: seen)
#ifdef CURED
    {
        x[0] = 3;
        seen = x[0];
    }
#else
    seen = x[0];
#endif
    omp_target_free(x, d);
    return seen == 3;
}

// lost-result: map it tofrom: map(tofrom: x)
static int tofrom_for_to(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x)
#else
#pragma omp target teams distribute parallel for map(to: x)
#endif
    for (int i = 0; i < N; i++)
        x[i] *= 2;
    return x[3] == 6;
}

// lost-result: map(tofrom: x[0:n])
static int section(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
#else
#pragma omp target teams distribute parallel for map(to: x[0:n])
#endif
    for (int i = 0; i < N; i++)
        x[i] = i;
    double last = x[n - 1];
    free(x);
    return last == 99;
}

// lost-result: lastprivate(at)
static int lastprivate(void)
{
    int at = -1;
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: at) lastprivate(at)
#else
#pragma omp target teams distribute parallel for map(tofrom: at) private(at)
#endif
    for (int i = 0; i < N; i++)
        at = i;
    return at == 99;
}

// bounds: the first n are x[0:n]
static int one_element(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
#else
#pragma omp target teams distribute parallel for map(tofrom: x[n])
#endif
    for (int i = 0; i < N; i++)
        x[i] = i;
    double last = x[n - 1];
    free(x);
    return last == 99;
}

// bounds: x[0:n]
static int one_element_of_many(void)
{
    int n = rand() % 2 + 50;
    double *x = (double *)malloc(n * sizeof *x);
#ifdef CURED
#pragma omp target teams distribute parallel for map(from: x[0:n])
#else
#pragma omp target teams distribute parallel for map(from: x[n])
#endif
    for (int i = 0; i < n; i++)
        x[i] = i;
    double at = x[40];
    free(x);
    return at == 40;
}

// bounds: map all elements that the region uses
static int all_elements(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    static double y[N];
#ifdef CURED
#pragma omp target teams distribute parallel for map(to: x[0:N]) map(from: y)
#else
#pragma omp target teams distribute parallel for map(to: x[0:N - 1]) map(from: y)
#endif
    for (int i = 0; i < N; i++)
        y[i] = x[i];
    return y[99] == 99;
}

// bounds: map only what there is
static int what_there_is(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
#else
#pragma omp target teams distribute parallel for map(tofrom: x[0:n + 1])
#endif
    for (int i = 0; i < N; i++)
        x[i] = i;
    double last = x[n - 1];
    free(x);
    return last == 99;
}

// stale: put '#pragma omp target update from(x)' in front
static int update_from(void)
{
    double seen;
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        x[i] += 1;
#ifdef CURED
#pragma omp target update from(x)
#endif
        seen = x[5];
    }
    return seen == 6;
}

// stale: put '#pragma omp target update to(x)' behind
static int update_to(void)
{
    double y = 0;
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target data map(to: x) map(tofrom: y)
    {
        x[0] = 7;
#ifdef CURED
#pragma omp target update to(x)
#endif
#pragma omp target map(tofrom: y)
        y = x[0];
    }
    return y == 7;
}

// stale: put '#pragma omp target update to(x)' behind the host's write
static int update_before_it_comes_back(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target data map(tofrom: x)
    {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        x[i] += 1;
#pragma omp target update from(x)
        x[0] = 50;
#ifdef CURED
#pragma omp target update to(x)
#endif
    }
    return x[0] == 50;
}

// nowait: put '#pragma omp taskwait' in front
static int taskwait(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 42;
#ifdef CURED
#pragma omp taskwait
#endif
    return n == 42;
}

// nowait: or leave out 'nowait'
static int waiting_region(void)
{
    int n = 0;
#ifdef CURED
#pragma omp target map(tofrom: n)
#else
#pragma omp target map(tofrom: n) nowait
#endif
    n = 42;
    return n == 42;
}

// nowait: order the regions with 'depend' clauses for it
static int depend(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target data map(tofrom: x)
    {
#ifdef CURED
#pragma omp target teams distribute parallel for nowait depend(inout: x)
#else
#pragma omp target teams distribute parallel for nowait
#endif
    for (int i = 0; i < N; i++)
        x[i] += 1;
#ifdef CURED
#pragma omp target teams distribute parallel for simd nowait depend(inout: x)
#else
#pragma omp target teams distribute parallel for simd nowait
#endif
    for (int i = 0; i < N; i++)
        x[i] *= 2;
#pragma omp taskwait
    }
    return x[1] == 4;
}

// unmapped-pointer: map(tofrom: x[0:n])
static int mapped_pointer(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
#else
#pragma omp target teams distribute parallel for
#endif
    for (int i = 0; i < N; i++)
        x[i] = i;
    double last = x[n - 1];
    free(x);
    return last == 99;
}

// unmapped-pointer: map it instead
static int host_address(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#ifdef CURED
#pragma omp target map(tofrom: x[0:n])
#else
#pragma omp target is_device_ptr(x)
#endif
    x[3] = 4;
    double seen = x[3];
    free(x);
    return seen == 4;
}

// partial-map: add map(to: v.n)
static int member(void)
{
    double a[N] = {0};
    struct vector v = {N, a};
#ifdef CURED
#pragma omp target map(to: v.n) map(tofrom: v.x[0:v.n])
#else
#pragma omp target map(tofrom: v.x[0:v.n])
#endif
    for (int i = 0; i < v.n; i++)
        v.x[i] = i;
    return a[99] == 99;
}

// device-pointer: or copy with omp_target_memcpy
static int device_pointer(void)
{
    double seen = 0;
    const int d = omp_get_default_device();
    double *x = (double *)omp_target_alloc(8, d);
#pragma omp target is_device_ptr(x)
    x[0] = 4;
#ifdef CURED
    omp_target_memcpy(&seen, x, sizeof seen, 0, 0, omp_get_initial_device(), d);
#else
    seen = x[0];
#endif
    omp_target_free(x, d);
    return seen == 4;
}

// released: release it behind the last region that uses it
static int released(void)
{
    double seen = 0;
    const int d = omp_get_default_device();
    double *x = (double *)omp_target_alloc(8, d);
#pragma omp target is_device_ptr(x)
    x[0] = 6;
#ifndef CURED
    omp_target_free(x, d);
#endif
#pragma omp target is_device_ptr(x) map(from: seen)
    seen = x[0];
#ifdef CURED
    omp_target_free(x, d);
#endif
    return seen == 6;
}

// double-release: leave one of the two directives out
static int released_twice(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target enter data map(to: x)
#pragma omp target exit data map(from: x)
#ifndef CURED
#pragma omp target exit data map(delete: x)
#endif
    return x[2] == 2;
}

// leak: #pragma omp target exit data map(release: kept)
static int exit_data(void)
{
    static double kept[N];
    double y = 9;
#pragma omp target enter data map(to: kept)
#pragma omp target map(from: y)
    y = kept[9];
#ifdef CURED
#pragma omp target exit data map(release: kept)
#endif
    return y == 0;
}

// leak: behind the statement
static int freed_inside(void)
{
    double at = 0;
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#pragma omp target data map(from: x[0:n])
    {
#pragma omp target
        x[0] = 3;
#ifndef CURED
        free(x);
#endif
    }
#ifdef CURED
    free(x);
#endif
    return at == 0;
}

// leak: add '#pragma omp target exit data' with it on all ways to there
static int freed_while_mapped(void)
{
    int n = N;
    double *x = (double *)calloc(n, sizeof *x);
#pragma omp target enter data map(to: x[0:n])
#pragma omp target
    x[0] = 3;
#ifdef CURED
#pragma omp target exit data map(delete: x[0:n])
#endif
    free(x);
    return 1;
}

// leak: call omp_target_free(x, …)
static int never_freed(void)
{
    double seen = 0;
    const int d = omp_get_default_device();
    double *x = (double *)omp_target_alloc(8, d);
#pragma omp target is_device_ptr(x) map(tofrom: seen)
    seen = *x = 2;
#ifdef CURED
    omp_target_free(x, d);
#endif
    return seen == 2;
}

// unmapped-pointer: put the call into 'target data use_device_ptr(x)'
static int in_the_call(void)
{
    double *x = (double *)calloc(N, sizeof *x);
    double *d = (double *)omp_target_alloc(N * sizeof *d, 0);
#pragma omp target data map(to: x[0:N])
#ifdef CURED
#pragma omp target data use_device_ptr(x)
#endif
    omp_target_memcpy(d, x, N * sizeof *d, 0, 0, 0, 0);
    omp_target_free(d, 0);
    free(x);
    return 1;
}

// bounds: map less in the last pass
static int last_pass(void)
{
    const int n = N;
    double *x = (double *)calloc(n, sizeof *x);
    for (int first = 1; first < 2; first++) {
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x[first:n - first])
#else
#pragma omp target teams distribute parallel for map(tofrom: x[first:n])
#endif
        for (int i = first; i < n; i++)
            x[i] = i;
    }
    int right = x[n - 1] == n - 1;
    free(x);
    return right;
}

// double-release: or map it once more before
static int mapped_once_more(void)
{
    static double x[N];
#pragma omp target enter data map(to: x)
#pragma omp target exit data map(from: x)
#ifdef CURED
#pragma omp target enter data map(to: x)
#endif
#pragma omp target exit data map(release: x)
    return 1;
}

// nowait: put '#pragma omp taskwait' in front, or order both with 'depend'
static int copied_too_early(void)
{
    static double x[N];
#pragma omp target data map(tofrom: x)
    {
#pragma omp target teams distribute parallel for nowait
        for (int i = 0; i < N; i++)
            x[i] = i;
#ifdef CURED
#pragma omp taskwait
#endif
#pragma omp target update from(x)
    }
    return x[3] == 3;
}

// unset: let a region write all that it maps 'from'
static int all_written(void)
{
    double x[N];
#pragma omp target teams distribute parallel for map(from: x)
#ifdef CURED
    for (int i = 0; i < N; i++)
#else
    for (int i = 1; i < N; i++)
#endif
        x[i] = i;
    return x[0] == 0;
}

// race: add reduction(max: most) to the directive
static int greatest(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    double most = 0;
#ifdef CURED
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: most) reduction(max: most)
#else
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: most)
#endif
    for (int i = 0; i < N; i++)
        if (x[i] > most)
            most = x[i];
    return most == N - 1;
}

// reduction: or a variable of its own with reduction(+: …)
static int member_of_its_own(void)
{
    struct vector v = {0, NULL};
#ifdef CURED
    int n = 0;
#pragma omp target teams distribute parallel for map(tofrom: n) reduction(+: n)
    for (int i = 0; i < N; i++)
        n += 1;
    v.n = n;
#else
#pragma omp target teams distribute parallel for map(tofrom: v)
    for (int i = 0; i < N; i++)
        v.n += 1;
#endif
    return v.n == N;
}

// race: use one lock, or 'omp atomic'
static int one_lock(void)
{
    int sum = 0;
    omp_lock_t one, other;
#pragma omp target map(tofrom: sum) map(alloc: one, other)
    {
        omp_init_lock(&one);
        omp_init_lock(&other);
#pragma omp parallel num_threads(4)
        {
            omp_set_lock(&one);
            sum++;
            omp_unset_lock(&one);
#ifdef CURED
            omp_set_lock(&one);
            sum++;
            omp_unset_lock(&one);
#else
            omp_set_lock(&other);
            sum++;
            omp_unset_lock(&other);
#endif
        }
    }
    return sum > 1;
}

// dependence: let iterations read from one array and write to another
static int two_arrays(void)
{
    static double x[N], y[N];
#pragma omp target teams distribute parallel for map(tofrom: x) map(to: y)
    for (int i = 1; i < N; i++)
#ifdef CURED
        x[i] = y[i - 1] + 1;
#else
        x[i] = x[i - 1] + 1;
#endif
    return x[N - 1] == 1;
}

// partial-map: with 'to' as well
static int other_member(void)
{
    struct vector v = {N, NULL};
    int n = 0;
#ifdef CURED
#pragma omp target map(to: v.x, v.n) map(from: n)
#else
#pragma omp target map(to: v.x) map(from: n)
#endif
    n = v.n;
    return n == N;
}

// stale: behind the change
static int behind_the_change(void)
{
    static double x[N];
    double sum = 0;
#pragma omp target data map(to: x)
    {
        x[3] = 4;
#ifdef CURED
#pragma omp target update to(x[3])
#endif
#pragma omp target map(tofrom: sum)
        for (int i = 0; i < N; i++)
            sum += x[i];
    }
    return sum == 4;
}

// race: leave out 'nowait', or add '#pragma omp barrier'
static int barrier_between(void)
{
    static double x[N], y[N];
#pragma omp target parallel num_threads(8) map(tofrom: x, y)
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            x[i] = i;
#ifdef CURED
#pragma omp barrier
#endif
#pragma omp for
        for (int i = 0; i < N; i++)
            y[i] = x[N - 1 - i];
    }
    return y[0] == N - 1;
}

// race: end the region in between
static int two_regions(void)
{
    static double x[N], y[N];
#ifdef CURED
#pragma omp target teams distribute parallel for map(tofrom: x)
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: y)
    for (int i = 0; i < N; i++)
        y[i] = x[N - 1 - i];
#else
#pragma omp target teams map(tofrom: x, y)
    {
#pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            x[i] = i;
#pragma omp distribute parallel for
        for (int i = 0; i < N; i++)
            y[i] = x[N - 1 - i];
    }
#endif
    return y[0] == N - 1;
}

// race: or one section
static int one_section(void)
{
    int sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp parallel sections
    {
#pragma omp section
        sum += 1;
#ifndef CURED
#pragma omp section
#endif
        sum += 2;
    }
    return sum == 3;
}

// race: order them with 'depend' clauses or 'taskwait'
static int depend_clauses(void)
{
    int *x = (int *)calloc(N, sizeof *x);
#pragma omp target data map(tofrom: x[0:N])
#pragma omp parallel
#pragma omp single
    {
#ifdef CURED
#pragma omp task depend(inout: x[0])
#else
#pragma omp task
#endif
        {
#pragma omp target
            x[0] = 1;
        }
#ifdef CURED
#pragma omp task depend(inout: x[0])
#else
#pragma omp task
#endif
        {
#pragma omp target
            x[0] += 2;
        }
    }
    int right = x[0] == 3;
    free(x);
    return right;
}

// unset: find it by a reduction, as in reduction(max: last)
static int last_of_some(void)
{
    static double x[N];
    for (int i = 0; i < N; i++)
        x[i] = i % 7;
    int last = -1;
#ifdef CURED
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: last) reduction(max: last)
#else
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: last) lastprivate(last)
#endif
    for (int i = 0; i < N; i++)
        if (x[i] == 3)
            last = i;
    return last == 94;
}

int main(void)
{
    if (!reduction())
        puts("reduction");
    if (!atomic())
        puts("atomic");
    if (!private_copy())
        puts("private_copy");
    if (!declared_inside())
        puts("declared_inside");
    if (!critical_names())
        puts("critical_names");
    if (!critical_in_teams())
        puts("critical_in_teams");
    if (!loop_in_order())
        puts("loop_in_order");
    if (!no_wait_in_region())
        puts("no_wait_in_region");
    if (!all_threads_wait())
        puts("all_threads_wait");
    if (!one_directive())
        puts("one_directive");
    if (!tofrom_for_from())
        puts("tofrom_for_from");
    if (!to_for_alloc())
        puts("to_for_alloc");
    if (!a_value_before())
        puts("a_value_before");
    if (!firstprivate())
        puts("firstprivate");
    if (!device_memory())
        puts("device_memory");
    if (!tofrom_for_to())
        puts("tofrom_for_to");
    if (!section())
        puts("section");
    if (!lastprivate())
        puts("lastprivate");
    if (!one_element())
        puts("one_element");
    if (!one_element_of_many())
        puts("one_element_of_many");
    if (!all_elements())
        puts("all_elements");
    if (!what_there_is())
        puts("what_there_is");
    if (!update_from())
        puts("update_from");
    if (!update_to())
        puts("update_to");
    if (!update_before_it_comes_back())
        puts("update_before_it_comes_back");
    if (!taskwait())
        puts("taskwait");
    if (!waiting_region())
        puts("waiting_region");
    if (!depend())
        puts("depend");
    if (!mapped_pointer())
        puts("mapped_pointer");
    if (!host_address())
        puts("host_address");
    if (!member())
        puts("member");
    if (!device_pointer())
        puts("device_pointer");
    if (!released())
        puts("released");
    if (!released_twice())
        puts("released_twice");
    if (!exit_data())
        puts("exit_data");
    if (!freed_inside())
        puts("freed_inside");
    if (!freed_while_mapped())
        puts("freed_while_mapped");
    if (!never_freed())
        puts("never_freed");
    if (!in_the_call())
        puts("in_the_call");
    if (!last_pass())
        puts("last_pass");
    if (!mapped_once_more())
        puts("mapped_once_more");
    if (!copied_too_early())
        puts("copied_too_early");
    if (!all_written())
        puts("all_written");
    if (!greatest())
        puts("greatest");
    if (!member_of_its_own())
        puts("member_of_its_own");
    if (!one_lock())
        puts("one_lock");
    if (!two_arrays())
        puts("two_arrays");
    if (!other_member())
        puts("other_member");
    if (!behind_the_change())
        puts("behind_the_change");
    if (!barrier_between())
        puts("barrier_between");
    if (!two_regions())
        puts("two_regions");
    if (!one_section())
        puts("one_section");
    if (!depend_clauses())
        puts("depend_clauses");
    if (!last_of_some())
        puts("last_of_some");
    return 0;
}
