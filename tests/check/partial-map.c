/* Wrong: a region uses members of a structure of which only other members are mapped. */
#include <stdlib.h>
typedef struct { double *x; int n; double scale; } vector;
typedef struct { int first, second; double *data; int length; vector inner; } box;

void length_of_a_local(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(tofrom: a.x[0:a.n])
    for (int i = 0; i < a.n; ++i) // rex-expect: partial-map
        a.x[i] = 1;
}

void two_members(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(tofrom: a.x[0:10])
    for (int i = 0; i < 10; ++i)
        a.x[i] *= a.scale; // rex-expect: partial-map
}

void in_a_distributed_loop(void)
{
    vector a = {malloc(80), 10, 2};
    int n = 10;
#pragma omp target teams distribute parallel for map(tofrom: a.x[0:n])
    for (int i = 0; i < n; ++i)
        a.x[i] *= a.scale + i; // rex-expect: partial-map
}

void of_a_pointer(vector *a)
{
#pragma omp target map(tofrom: a->x[0:a->n])
    for (int i = 0; i < 10; ++i)
        a->x[i] = a->scale; // rex-expect: partial-map (likely)
}

void of_a_parameter(vector a)
{
#pragma omp target map(tofrom: a.x[0:a.n])
    for (int i = 0; i < 10; ++i)
        a.x[i] = a.scale; // rex-expect: partial-map
}

void member_before_the_mapped_one(void)
{
    box b = {0};
    b.data = malloc(80);
#pragma omp target map(tofrom: b.data[0:10])
    b.data[b.first] = 1; // rex-expect: partial-map
}

void member_behind(void)
{
    box b = {0};
#pragma omp target map(tofrom: b.first)
    b.first = b.second; // rex-expect: partial-map
}

void a_write(void)
{
    box b = {0};
#pragma omp target map(tofrom: b.first)
    b.length = b.first; // rex-expect: partial-map
}

void between_two(void)
{
    box b = {0};
    b.data = malloc(80);
#pragma omp target map(tofrom: b.first, b.data[0:10])
    b.data[0] = b.first + b.second; // rex-expect: partial-map
}

void inner_structure(void)
{
    box b = {0};
#pragma omp target map(tofrom: b.length)
    b.length = b.inner.n; // rex-expect: partial-map
}

int read_in_a_condition(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(tofrom: a.x[0:10])
    if (a.n > 3) // rex-expect: partial-map
        a.x[3] = 0;
    return a.x[3] > 0;
}

void data_around(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target data map(tofrom: a.x[0:a.n])
    {
#pragma omp target map(tofrom: a.x[0:a.n])
        a.x[0] = a.n; // rex-expect: partial-map
    }
}

void pointer_of_another_member(void)
{
    box b = {0};
    b.inner.x = malloc(80);
#pragma omp target map(tofrom: b.first)
    b.first = b.data != 0; // rex-expect: partial-map
}

void in_parallel(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target parallel for map(from: a.x[0:10])
    for (int i = 0; i < 10; ++i)
        a.x[i] = a.n; // rex-expect: partial-map
}

void once_for_each_member(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(from: a.x[0:10])
    for (int i = 0; i < a.n; ++i) // rex-expect: partial-map
        a.x[i] = a.n + a.scale; // rex-expect: partial-map
}

struct line {
    double a, b;
    int steps;
};
static double value(const struct line *l, double x)
{
    return l->a * x + l->b; // rex-expect: partial-map
}
double in_a_function(void)
{
    struct line l = {1, 2, 3};
    double y;
#pragma omp target map(to: l.a) map(from: y)
    y = value(&l, 3);
    return y;
}
static void count(struct line *l, int *total)
{
#pragma omp target map(from: total[0:1])
    total[0] = l->steps + (int)l->b; // rex-expect: partial-map
}
int mapped_by_the_caller(void)
{
    struct line l = {1, 2, 3};
    int total = 0;
#pragma omp target data map(to: l.steps)
    count(&l, &total);
    return total;
}

/* Right. */

void all_members(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(to: a.n, a.scale) map(tofrom: a.x[0:a.n])
    for (int i = 0; i < a.n; ++i)
        a.x[i] *= a.scale;
}

void whole_structure(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target map(to: a) map(tofrom: a.x[0:a.n])
    for (int i = 0; i < a.n; ++i)
        a.x[i] *= a.scale;
}

void a_scalar_instead(void)
{
    vector a = {malloc(80), 10, 2};
    int n = a.n;
#pragma omp target map(tofrom: a.x[0:n])
    for (int i = 0; i < n; ++i)
        a.x[i] = 1;
}

void mapped_around(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target data map(to: a)
    {
#pragma omp target map(tofrom: a.x[0:a.n])
        a.x[0] = a.n;
    }
}

void member_mapped_around(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target data map(to: a.n, a.x[0:10])
    {
#pragma omp target map(tofrom: a.x[0:a.n])
        a.x[0] = a.n;
    }
}

void implicit(void)
{
    box b = {0};
#pragma omp target
    b.first = b.second + b.length;
}

void explicit_whole(void)
{
    box b = {0};
#pragma omp target map(tofrom: b)
    b.first = b.second + b.length;
}

void another_structure(void)
{
    box b = {0}, c = {1};
#pragma omp target map(tofrom: b.first)
    b.first = c.second;
}

void only_the_mapped_one(vector *a)
{
    int n = a->n;
#pragma omp target map(tofrom: a->x[0:n])
    for (int i = 0; i < n; ++i)
        a->x[i] = i;
}

void whole_by_pointer(vector *a)
{
#pragma omp target map(to: a[0:1]) map(tofrom: a->x[0:a->n])
    for (int i = 0; i < a->n; ++i)
        a->x[i] = i;
}

void inner_whole(void)
{
    box b = {0};
#pragma omp target map(tofrom: b.inner)
    b.inner.n = b.inner.scale > 0;
}

void own_structure(double *x)
{
#pragma omp target map(tofrom: x[0:1])
    {
        vector v = {x, 1, 2};
        x[0] = v.n + v.scale;
    }
}

void entered(void)
{
    vector a = {malloc(80), 10, 2};
#pragma omp target enter data map(to: a, a.x[0:10])
#pragma omp target map(tofrom: a.x[0:10])
    a.x[0] = a.n;
#pragma omp target exit data map(release: a) map(from: a.x[0:10])
}

void members_by_sections(box *b)
{
#pragma omp target map(tofrom: b->first, b->second)
    b->first = b->second;
}

void firstprivate_structure(double *x)
{
    vector v = {0, 1, 2};
#pragma omp target map(tofrom: x[0:1]) firstprivate(v)
    x[0] = v.n + v.scale;
}
static double whole_value(const struct line *l, double x)
{
    return l->a * x + l->b;
}
double whole_in_a_function(void)
{
    struct line l = {1, 2, 3};
    double y;
#pragma omp target map(to: l.a, l.b) map(from: y)
    y = whole_value(&l, 3);
    return y;
}
static void whole_count(struct line *l, int *total)
{
#pragma omp target map(from: total[0:1])
    total[0] = l->steps + (int)l->b;
}
int all_mapped_by_the_caller(void)
{
    struct line l = {1, 2, 3};
    int total = 0;
#pragma omp target data map(to: l.steps)
    {
#pragma omp target data map(to: l.b)
        whole_count(&l, &total);
    }
#pragma omp target data map(to: l)
    whole_count(&l, &total);
    return total;
}

struct link {
    int n, *x;
    struct link *next;
};

/* A list item maps all pointers on the way to it. */
int pointers_on_the_way(void)
{
    int here[4] = {1, 2}, there[4] = {3, 4}, sum = 0;
    struct link last = {4, here, 0}, first = {4, there, &last}, *p = &first;
#pragma omp target map(tofrom: sum) map(to: p->next->x[0:4], p->next->n)
    sum += p->next->x[1] + p->next->n;
    return sum;
}
