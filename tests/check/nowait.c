/* Wrong: the host goes on with data of a deferred region before it waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 100

void read_scalar(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    printf("%d\n", n); // rex-expect: nowait
#pragma omp taskwait
}
void read_array(double *out)
{
    double a[N];
#pragma omp target teams distribute parallel for map(from: a) nowait
    for (int i = 0; i < N; ++i)
        a[i] = i;
    for (int i = 0; i < N; ++i)
        out[i] = a[i]; // rex-expect: nowait
#pragma omp taskwait
}
void write_input(void)
{
    int n = 3, m = 0;
#pragma omp target map(to: n) map(from: m) nowait
    m = n;
    n = 4; // rex-expect: nowait
#pragma omp taskwait
    printf("%d\n", m);
}
void write_input_array(double *out)
{
    double a[N] = {0};
#pragma omp target teams distribute parallel for map(to: a) map(from: out[0:N]) nowait
    for (int i = 0; i < N; ++i)
        out[i] = a[i];
    for (int i = 0; i < N; ++i)
        a[i] = 1; // rex-expect: nowait
#pragma omp taskwait
}
void allocated(void)
{
    double *a = calloc(N, sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) nowait
    for (int i = 0; i < N; ++i)
        a[i] = i;
    printf("%f\n", a[0]); // rex-expect: nowait
#pragma omp taskwait
    free(a);
}
void in_data(double *out)
{
    double a[N];
#pragma omp target data map(from: a)
    {
#pragma omp target teams distribute parallel for nowait
        for (int i = 0; i < N; ++i)
            a[i] = i;
#pragma omp target update from(a) // rex-expect: nowait
        out[0] = a[0];
    }
}
void with_depend(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 5;
    printf("%d\n", n); // rex-expect: nowait
#pragma omp taskwait
}
void in_a_condition(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    if (n == 5) // rex-expect: nowait
        puts("perhaps");
#pragma omp taskwait
}
int returned(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    return n; // rex-expect: nowait
}
void first_of_two(void)
{
    int n = 0, m = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
#pragma omp target map(tofrom: m)
    m = 5;
    printf("%d %d\n", m, n); // rex-expect: nowait
#pragma omp taskwait
}
void by_a_function_of_the_system(void)
{
    char text[N] = {0};
#pragma omp target map(tofrom: text) nowait
    text[0] = 'a';
    printf("%s\n", text); // rex-expect: nowait (likely)
#pragma omp taskwait
}
void one_element(void)
{
    int a[N] = {0};
#pragma omp target map(tofrom: a) nowait
    a[7] = 1;
    a[7] += 2; // rex-expect: nowait
#pragma omp taskwait
}
void perhaps_another(int k)
{
    int a[N] = {0};
#pragma omp target map(tofrom: a) nowait
    a[k] = 1;
    printf("%d\n", a[2]); // rex-expect: nowait
#pragma omp taskwait
}
static int first(int *a)
{
    return a[0]; // rex-expect: nowait
}
void in_a_function(void)
{
    int a[N] = {0};
#pragma omp target map(tofrom: a) nowait
    a[0] = 1;
    printf("%d\n", first(a));
#pragma omp taskwait
}
void deferred_update(void)
{
    int n = 0;
#pragma omp target data map(tofrom: n)
    {
#pragma omp target map(tofrom: n)
        n = 2;
#pragma omp target update from(n) nowait
        printf("%d\n", n); // rex-expect: nowait
#pragma omp taskwait
    }
}
void of_a_parameter(double *a)
{
#pragma omp target map(tofrom: a[0:N]) nowait
    a[0] = 1;
    a[0] = 2; // rex-expect: nowait (likely)
#pragma omp taskwait
}

void freed(int n)
{
    double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) nowait
    for (int i = 0; i < n; ++i)
        a[i] = i;
    free(a); // rex-expect: nowait
#pragma omp taskwait
}
void next_region(void)
{
    double a[N];
#pragma omp target teams distribute parallel for map(tofrom: a) nowait
    for (int i = 0; i < N; ++i)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int i = 0; i < N; ++i)
        a[i] *= 2; // rex-expect: nowait
#pragma omp taskwait
}
void other_dependence(void)
{
    int a = 0, b = 0;
#pragma omp target map(tofrom: a) depend(out: a) nowait
    a = 1;
#pragma omp target map(tofrom: a, b) depend(in: b) nowait
    b = a; // rex-expect: nowait
#pragma omp taskwait
}
void transfer(void)
{
    double a[N] = {0};
#pragma omp target enter data map(to: a) nowait
    a[0] = 7; // rex-expect: nowait
#pragma omp taskwait
#pragma omp target exit data map(release: a)
}

/* Right. */

void with_taskwait(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
#pragma omp taskwait
    printf("%d\n", n);
}
void without_nowait(void)
{
    int n = 0;
#pragma omp target map(tofrom: n)
    n = 5;
    printf("%d\n", n);
}
void both_read(void)
{
    int n = 3, m = 0;
#pragma omp target map(to: n) map(from: m) nowait
    m = n;
    printf("%d\n", n);
#pragma omp taskwait
    printf("%d\n", m);
}
void with_taskgroup(void)
{
    int n = 0;
#pragma omp taskgroup
    {
#pragma omp target map(tofrom: n) nowait
        n = 5;
    }
    printf("%d\n", n);
}
void waiting_region(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 5;
#pragma omp target map(tofrom: n) depend(inout: n)
    n++;
    printf("%d\n", n);
}
void in_a_task(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 5;
#pragma omp task depend(in: n) shared(n)
    printf("%d\n", n);
#pragma omp taskwait
}
void other_data(void)
{
    int n = 0, m = 1;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    m++;
    printf("%d\n", m);
#pragma omp taskwait
    printf("%d\n", n);
}
void copied_elements(void)
{
    int a[N] = {0};
#pragma omp target map(tofrom: a) nowait
    a[0] = 1;
    a[1] = 2; // rex-expect: nowait
#pragma omp taskwait
}
void other_elements(void)
{
    int a[N] = {0};
#pragma omp target map(tofrom: a[0:1]) nowait
    a[0] = 1;
    a[1] = 2;
#pragma omp taskwait
}
void copied_scalar(void)
{
    int n = 3, m = 0;
#pragma omp target map(from: m) nowait
    m = n;
    n = 4;
#pragma omp taskwait
    printf("%d %d\n", m, n);
}
void pointer_itself(void)
{
    double *a = calloc(N, sizeof *a), *b = a;
#pragma omp target map(tofrom: a[0:N]) nowait
    a[0] = 1;
    a = 0;
#pragma omp taskwait
    free(b);
}
void in_parallel(double *out)
{
    double a[N];
#pragma omp parallel
#pragma omp single
    {
#pragma omp target map(from: a) nowait
        a[0] = 1;
    }
    out[0] = a[0];
}
extern void wait_for_all(void);
void elsewhere(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    wait_for_all();
    printf("%d\n", n);
}
static void wait(void)
{
#pragma omp taskwait
}
void by_a_function(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait
    n = 5;
    wait();
    printf("%d\n", n);
}
void taskwait_of_one(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(out: n)
    n = 5;
#pragma omp taskwait depend(in: n)
    printf("%d\n", n);
}
void two_regions(void)
{
    int n = 0;
#pragma omp target map(tofrom: n) nowait depend(inout: n)
    n = 5;
#pragma omp target map(tofrom: n) nowait depend(inout: n)
    n++;
#pragma omp taskwait
    printf("%d\n", n);
}
void chained(void)
{
    int a = 0, b = 0, c = 0;
#pragma omp target map(tofrom: a) depend(out: a) nowait
    a = 1;
#pragma omp target map(tofrom: b) depend(in: a) depend(out: b) nowait
    b = 2;
#pragma omp target map(tofrom: a, c) depend(in: b) nowait
    c = a;
#pragma omp taskwait
}
void counted_by_both(void)
{
    int a = 0;
#pragma omp target map(tofrom: a) nowait
#pragma omp atomic
    a++;
#pragma omp target map(tofrom: a) nowait
#pragma omp atomic
    a++;
#pragma omp taskwait
}
void in_pieces(double *a, int n)
{
    for (int k = 0; k < n; k += 10) {
#pragma omp target teams distribute parallel for map(tofrom: a[k:10]) nowait
        for (int i = k; i < k + 10; ++i)
            a[i] = i;
    }
#pragma omp taskwait
}
/* Directives that copy, or remove, what a deferred region uses. */
float updated_too_early(void)
{
    float a[N] = {1}, b[N] = {2}, c[N] = {3};
#pragma omp target enter data map(to: a, b, c)
#pragma omp target nowait depend(inout: b)
    for (int i = 0; i < N; ++i)
        a[i] += b[i] * c[i];
#pragma omp target update from(a) // rex-expect: nowait
#pragma omp target update from(c)
#pragma omp target update to(c) nowait depend(out: c) // rex-expect: nowait
#pragma omp target update from(b) depend(in: b)
#pragma omp taskwait
#pragma omp target update from(a, c)
#pragma omp target exit data map(delete: a, b, c)
    return a[0] + b[1] + c[2];
}
float removed_too_early(void)
{
    float a[N] = {1}, b[N] = {2};
#pragma omp target enter data map(to: a, b)
#pragma omp target enter data map(to: b)
#pragma omp target nowait
    for (int i = 0; i < N; ++i)
        a[i] += b[i];
#pragma omp target exit data map(release: b)
#pragma omp target exit data map(from: a) // rex-expect: nowait
#pragma omp taskwait
#pragma omp target exit data map(release: b)
    return a[0] + b[1];
}
