/* Wrong: a region dereferences a pointer to host memory that nothing maps. */
#include <stdlib.h>
#define N 100
typedef struct { int value; } cell;

void allocated(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        x[i] = i; // rex-expect: unmapped-pointer
    free(x);
}
void zeroed(int *out)
{
    int *x = calloc(N, sizeof *x), s = 0;
#pragma omp target map(tofrom: s)
    s += *x; // rex-expect: unmapped-pointer
    *out = s;
    free(x);
}
void one_of_two(void)
{
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
#pragma omp target map(to: x[0:N])
    y[0] = x[0]; // rex-expect: unmapped-pointer
    free(x);
    free(y);
}
void pointer_itself(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target map(tofrom: x)
    x[1] = 2; // rex-expect: unmapped-pointer
    free(x);
}
void to_a_local_array(void)
{
    double a[N] = {0}, *p = a;
#pragma omp target
    p[0] = 1; // rex-expect: unmapped-pointer
}
void to_a_scalar(void)
{
    int n = 3, *p = &n;
#pragma omp target
    *p = 4; // rex-expect: unmapped-pointer
}
void after_the_exit(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target enter data map(alloc: x[0:N])
#pragma omp target
    x[0] = 1;
#pragma omp target exit data map(from: x[0:N])
#pragma omp target
    x[0] = 2; // rex-expect: unmapped-pointer
    free(x);
}
static void callee(double *x)
{
#pragma omp target
    x[3] = 1; // rex-expect: unmapped-pointer
}
void caller(void)
{
    double *x = malloc(N * sizeof *x);
    callee(x);
    free(x);
}
void firstprivate_pointer(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target firstprivate(x)
    x[1] = 1; // rex-expect: unmapped-pointer
    free(x);
}
void before_the_data(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target
    x[0] = 1; // rex-expect: unmapped-pointer
#pragma omp target data map(tofrom: x[0:N])
    {
    }
    free(x);
}
void other_pointer_mapped(void)
{
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
#pragma omp target data map(tofrom: y[0:N])
    {
#pragma omp target
        x[0] = y[0]; // rex-expect: unmapped-pointer
    }
    free(x);
    free(y);
}
void to_a_parameter_array(void)
{
    int a[4] = {0};
    int *first = &a[0];
#pragma omp target parallel for
    for (int i = 0; i < 4; ++i)
        first[i] = i; // rex-expect: unmapped-pointer
}
void new_memory(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target enter data map(to: x[0:N])
    double *y = x;
    x = malloc(N * sizeof *x);
#pragma omp target
    x[0] = 1; // rex-expect: unmapped-pointer
#pragma omp target exit data map(release: y[0:N])
    free(x);
    free(y);
}
void cells(void)
{
    cell *c = malloc(N * sizeof *c);
#pragma omp target
    c->value = 1; // rex-expect: unmapped-pointer
    free(c);
}
void update_does_not_map(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target update to(x[0:N])
#pragma omp target
    x[0] = 1; // rex-expect: unmapped-pointer
    free(x);
}

int in_a_string(void)
{
    const char *word = "hello";
    int count = 0;
#pragma omp target map(tofrom: count)
    for (int i = 0; i < 5; ++i)
        count += word[i] == 'l'; // rex-expect: unmapped-pointer
    return count;
}
static double at(const double *v, int i)
{
    return v[i]; // rex-expect: unmapped-pointer
}
double in_a_function(void)
{
    double *v = calloc(N, sizeof *v), s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < N; ++i)
        s += at(v, i);
    free(v);
    return s;
}

/* Right. */

void with_a_map(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target teams distribute parallel for map(from: x[0:N])
    for (int i = 0; i < N; ++i)
        x[i] = i;
    free(x);
}
void with_data(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target data map(tofrom: x[0:N])
    {
#pragma omp target
        x[0] = 1;
    }
    free(x);
}
void with_enter(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target enter data map(to: x[0:N])
#pragma omp target
    x[0] = 1;
#pragma omp target exit data map(from: x[0:N])
    free(x);
}
void parameter(double *x)
{
#pragma omp target
    x[0] = 1;
}
void by_another_name(void)
{
    double *x = malloc(N * sizeof *x), *y = x;
#pragma omp target enter data map(to: x[0:N])
#pragma omp target
    y[0] = 1;
#pragma omp target exit data map(from: x[0:N])
    free(x);
}
void device_pointer(void)
{
    extern void *omp_target_alloc(size_t, int), omp_target_free(void *, int);
    double *x = omp_target_alloc(N * sizeof *x, 0);
#pragma omp target is_device_ptr(x)
    x[0] = 1;
    omp_target_free(x, 0);
}
static void fill(double *x)
{
#pragma omp target
    x[3] = 1;
}
void mapping_caller(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target data map(tofrom: x[0:N])
    fill(x);
    free(x);
}
void mapped_by_another_function(double *x);
void foreign(void)
{
    double *x = malloc(N * sizeof *x);
    mapped_by_another_function(x);
#pragma omp target
    x[0] = 1;
    free(x);
}
void array(void)
{
    double a[N];
#pragma omp target
    a[0] = 1;
}
void array_by_pointer(void)
{
    double a[N], *p = a;
#pragma omp target map(tofrom: a)
    p[0] = 1;
}
void some_branch(int big)
{
    double *x = malloc(N * sizeof *x);
    if (big) {
#pragma omp target enter data map(to: x[0:N])
    }
#pragma omp target if(big)
    x[0] = 1;
    if (big) {
#pragma omp target exit data map(from: x[0:N])
    }
    free(x);
}
void pointer_not_followed(int *out)
{
    double *x = malloc(N * sizeof *x);
    int given = 0;
#pragma omp target map(tofrom: given)
    given = x != 0;
    *out = given;
    free(x);
}
void on_the_host(void)
{
    double *x = malloc(N * sizeof *x);
    for (int i = 0; i < N; ++i)
        x[i] = i;
#pragma omp target map(tofrom: x[0:N])
    x[0] = 1;
    free(x);
}
void own_pointer(double *x)
{
#pragma omp target map(tofrom: x[0:N])
    {
        double local[4] = {0}, *p = local;
        p[0] = 1;
        x[0] = p[0];
    }
}
void pointer_and_section(void)
{
    double *x = malloc(N * sizeof *x);
#pragma omp target map(x, x[0:N])
    x[1] = 2;
    free(x);
}
int mapped_string(void)
{
    const char *word = "hello";
    int count = 0;
#pragma omp target map(tofrom: count) map(to: word[0:5])
    for (int i = 0; i < 5; ++i)
        count += word[i] == 'l';
    return count;
}
static double of(const double *v, int i)
{
    return v[i];
}
double mapped_for_a_function(void)
{
    double *v = calloc(N, sizeof *v), s = 0;
#pragma omp target teams distribute parallel for reduction(+: s) map(to: v[0:N])
    for (int i = 0; i < N; ++i)
        s += of(v, i);
    free(v);
    return s;
}

void used_after_its_end(double *x, int n)
{
#pragma omp target enter data map(to: x[0:n])
#pragma omp target exit data map(delete: x[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        x[i] = 0; // rex-expect: unmapped-pointer (likely)
}

void used_before_its_end(double *x, int n)
{
#pragma omp target enter data map(to: x[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        x[i] = 0;
#pragma omp target exit data map(delete: x[0:n])
}

struct both {
    double *x, *y;
};

double second_member(void)
{
    double *a = calloc(8, sizeof *a), *b = calloc(8, sizeof *b), sum = 0;
    struct both t = {a, .y = b};
#pragma omp target map(to: t, t.x[0:8]) map(tofrom: sum)
    sum += t.x[1] + t.y[1]; // rex-expect: unmapped-pointer
    free(a);
    free(b);
    return sum;
}

double both_members(void)
{
    double *a = calloc(8, sizeof *a), *b = calloc(8, sizeof *b), sum = 0;
    struct both t = {a, .y = b};
#pragma omp target map(to: t, t.x[0:8], t.y[0:8]) map(tofrom: sum)
    sum += t.x[1] + t.y[1];
    free(a);
    free(b);
    return sum;
}

double through_rows(void)
{
    double a[N] = {0}, b[N] = {0}, *rows[2] = {a, b}, **p = rows, sum = 0;
#pragma omp target map(to: p[0][0:N]) map(tofrom: sum)
    sum += p[0][3];
    return sum;
}

/* Right: the region sets the pointer before it uses it. What the pointer leads to on the host does not matter. */
int set_in_the_region(void)
{
    int a[N] = {1}, *p = a, sum = 0;
#pragma omp target firstprivate(a) map(tofrom: sum)
    p = a, sum += *p;
#pragma omp target private(p) map(tofrom: sum)
    {
        int x = 4;
        p = &x;
        sum += *p;
    }
#pragma omp target teams distribute parallel for private(p) firstprivate(a) reduction(+: sum)
    for (int i = 0; i < N; ++i) {
        p = a + i;
        sum += p[0];
    }
    return sum + a[0];
}
int used_before_it_is_set(void)
{
    int a[N] = {1}, *p = a, sum = 0;
#pragma omp target firstprivate(a) map(tofrom: sum)
    {
        sum += *p; // rex-expect: unmapped-pointer
        p = a;
        sum += *p;
    }
    return sum + a[0];
}
