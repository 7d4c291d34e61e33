/* Memory that the host frees while it is mapped: each wrong one in front of its right form. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
static int seen;

struct vector {
    int n;
    int *x;
};

struct list {
    struct list *next;
    int value;
};

static int *some(void)
{
    int *a = malloc(N * sizeof(int));
    for (int i = 0; i < N; ++i)
        a[i] = i;
    return a;
}

static void no_exit(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[0:N])
#pragma omp target exit data map(release: b[0:N])
    free(b);
}

static void once_too_little(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[0:N])
#pragma omp target enter data map(to: b[0:N])
#pragma omp target exit data map(delete: b[0:N])
    free(b);
}

static void inside_of_data(void)
{
    int *a = some(), *b = some();
#pragma omp target data map(to: a[0:N])
    {
#pragma omp target
        a[3] = 4;
        free(a); // rex-expect: freed-while-mapped
    }
#pragma omp target data map(to: b[0:N])
    {
#pragma omp target
        b[3] = 4;
    }
    free(b);
}

static void grown(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(alloc: a[0:N])
    a = realloc(a, 4 * N * sizeof(int)); // rex-expect: freed-while-mapped
    free(a);
#pragma omp target enter data map(alloc: b[0:N])
#pragma omp target exit data map(release: b[0:N])
    b = realloc(b, 4 * N * sizeof(int));
    free(b);
}

static void a_part(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[8:8])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[8:8])
#pragma omp target exit data map(release: b[8:8])
    free(b);
}

static void in_parts(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:8])
#pragma omp target enter data map(to: a[32:8])
#pragma omp target exit data map(release: a[0:8])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[0:8])
#pragma omp target enter data map(to: b[32:8])
#pragma omp target exit data map(release: b[0:8])
#pragma omp target exit data map(release: b[32:8])
    free(b);
}

static void zeros(void)
{
    int *a = calloc(N, sizeof(int)), *b = calloc(N, sizeof(int));
#pragma omp target enter data map(to: a[0:N])
#pragma omp target
    a[1] = 1;
#pragma omp target update from(a[0:N])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[0:N])
#pragma omp target
    b[1] = 1;
#pragma omp target exit data map(from: b[0:N])
    free(b);
}

static void aligned(void)
{
    double *a = aligned_alloc(64, N * sizeof(double)), *b = aligned_alloc(64, N * sizeof(double));
#pragma omp target enter data map(alloc: a[0:N])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(alloc: b[0:N])
#pragma omp target exit data map(delete: b[0:N])
    free(b);
}

static void posix(void)
{
    void *a, *b;
    if (posix_memalign(&a, 128, 256) || posix_memalign(&b, 128, 256))
        return;
    char *c = a, *d = b;
#pragma omp target enter data map(alloc: c[0:256])
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(alloc: d[0:256])
#pragma omp target exit data map(release: d[0:256])
    free(b);
}

static void member(void)
{
    struct vector v = {N, some()}, w = {N, some()};
#pragma omp target enter data map(to: v, v.x[0:N])
    free(v.x); // rex-expect: freed-while-mapped
#pragma omp target exit data map(release: v)
#pragma omp target enter data map(to: w, w.x[0:N])
#pragma omp target exit data map(release: w.x[0:N], w)
    free(w.x);
}

static void whole_structure(void)
{
    struct vector *v = malloc(sizeof(*v)), *w = malloc(sizeof(*w));
    v->n = w->n = 1;
#pragma omp target enter data map(to: v->n)
    free(v); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: w->n)
#pragma omp target exit data map(release: w->n)
    free(w);
}

static void give_back(int *p)
{
    free(p); // rex-expect: freed-while-mapped
}

static void give_back_rightly(int *p)
{
    free(p);
}

static void in_a_function(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N])
    give_back(a);
#pragma omp target enter data map(to: b[0:N])
#pragma omp target exit data map(release: b[0:N])
    give_back_rightly(b);
}

static void one_of_a_list(void)
{
    struct list *first = NULL;
    for (int i = 0; i < 3; ++i) {
        struct list *const node = malloc(sizeof(*node));
        *node = (struct list){first, i};
        first = node;
#pragma omp target enter data map(to: node[0:1])
    }
    while (first) {
        struct list *const next = first->next;
        if (first->value != 1) {
#pragma omp target exit data map(release: first[0:1])
        }
        free(first); // rex-expect: freed-while-mapped
        first = next;
    }
}

static void all_of_a_list(void)
{
    struct list *first = NULL;
    for (int i = 0; i < 3; ++i) {
        struct list *const node = malloc(sizeof(*node));
        *node = (struct list){first, i};
        first = node;
#pragma omp target enter data map(to: node[0:1])
    }
    while (first) {
        struct list *const next = first->next;
#pragma omp target exit data map(release: first[0:1])
        free(first);
        first = next;
    }
}

static void by_a_condition(int is_short)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N])
    if (!is_short) {
#pragma omp target exit data map(release: a[0:N])
    }
    free(a); // rex-expect: freed-while-mapped
#pragma omp target enter data map(to: b[0:N]) if(!is_short)
    if (!is_short) {
#pragma omp target exit data map(release: b[0:N])
    }
    free(b);
}

static void the_other(void)
{
    int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N], b[0:N])
#pragma omp target exit data map(release: a[0:N])
    free(b); // rex-expect: freed-while-mapped
    free(a);
    a = some();
#pragma omp target enter data map(to: a[0:N])
#pragma omp target exit data map(release: a[0:N])
    free(a);
}

static void in_a_host_thread(void)
{
#pragma omp parallel num_threads(2)
    {
        int *a = some(), *b = some();
#pragma omp target enter data map(to: a[0:N])
#pragma omp target enter data map(to: b[0:N])
#pragma omp target exit data map(release: b[0:N])
        free(a); // rex-expect: freed-while-mapped
        free(b);
    }
}

static void associated(void)
{
    const int device = omp_get_default_device();
    int *a = some(), *memory = omp_target_alloc(N * sizeof(int), device);
    omp_target_associate_ptr(a, memory, N * sizeof(int), 0, device);
    omp_target_disassociate_ptr(a, device);
    omp_target_free(memory, device);
    free(a);
}

int main(void)
{
    no_exit();
    once_too_little();
    inside_of_data();
    grown();
    a_part();
    in_parts();
    zeros();
    aligned();
    posix();
    member();
    whole_structure();
    in_a_function();
    one_of_a_list();
    all_of_a_list();
    by_a_condition(1);
    the_other();
    in_a_host_thread();
    associated();
    printf("%d\n", seen);
    return 0;
}
