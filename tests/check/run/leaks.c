/* Mappings whose counts never come to zero. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 32 };

struct vector {
    int n;
    int *x;
};

static int *some(void)
{
    int *p = malloc(N * sizeof(int));
    for (int i = 0; i < N; ++i)
        p[i] = i;
    return p;
}

static int a0[N], a1[N], a2[N], a3[N], a4[4][N], a5[N], a6[N], a7[N], a8[N], a9[N], b0[N], b1[N], b2[N], b3[N];
static double value;
static struct vector structure;

static void two_of_three(void)
{
#pragma omp target enter data map(to: a0) // rex-expect: never-released
#pragma omp target enter data map(to: a0)
#pragma omp target enter data map(to: a0)
#pragma omp target exit data map(release: a0)
#pragma omp target exit data map(release: a0)
#pragma omp target enter data map(to: b0)
#pragma omp target enter data map(to: b0)
#pragma omp target enter data map(to: b0)
#pragma omp target exit data map(delete: b0) /* at once */
}

static void other_section(void)
{
#pragma omp target enter data map(to: a1[0:8]) // rex-expect: never-released
#pragma omp target exit data map(release: a1[8:8])
#pragma omp target enter data map(to: b1[0:8])
#pragma omp target exit data map(release: b1[0:4]) /* a part counts for all */
}

static void one_of_two(void)
{
#pragma omp target enter data map(to: a2, b2)
#pragma omp target enter data map(to: a3) // rex-expect: never-released
#pragma omp target exit data map(release: a2)
#pragma omp target exit data map(release: b2)
}

static void part_of_rows(void)
{
#pragma omp target enter data map(alloc: a4[1:2]) // rex-expect: never-released
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; ++i)
        a4[1][i] = i;
#pragma omp target update from(a4[1:1])
}

static void conditional(int is_last)
{
#pragma omp target enter data map(to: a5) // rex-expect: never-released
#pragma omp target exit data map(release: a5) if(!is_last)
#pragma omp target enter data map(to: b3)
#pragma omp target exit data map(release: b3) if(is_last)
}

static void in_a_loop(void)
{
    for (int k = 0; k < 3; ++k) {
#pragma omp target enter data map(to: a6) // rex-expect: never-released
    }
#pragma omp target exit data map(release: a6)
    for (int k = 0; k < 3; ++k) {
#pragma omp target enter data map(to: b0)
    }
    for (int k = 0; k < 3; ++k) {
#pragma omp target exit data map(release: b0)
    }
}

static void early_return(int n)
{
#pragma omp target enter data map(to: a7) // rex-expect: never-released
    if (n > 3)
        return;
#pragma omp target exit data map(release: a7)
}

static void inside_of_a_data_region(void)
{
#pragma omp target data map(tofrom: a8) // rex-expect: never-released
    {
#pragma omp target enter data map(to: a8)
    }
#pragma omp target data map(tofrom: b1)
    {
#pragma omp target enter data map(to: b1)
#pragma omp target exit data map(release: b1)
    }
}

static void scalar(void)
{
#pragma omp target enter data map(to: value) // rex-expect: never-released
#pragma omp target map(tofrom: value)
    value += 1;
#pragma omp target update from(value)
}

static void whole_structure(void)
{
#pragma omp target enter data map(to: structure) // rex-expect: never-released
}

static void heap(int *p, int *q)
{
#pragma omp target enter data map(to: p[0:N]) // rex-expect: never-released
#pragma omp target enter data map(to: q[0:N])
#pragma omp target exit data map(from: q[0:N])
}

static void behind_a_member(struct vector *v)
{
    int *x = v->x;
#pragma omp target enter data map(to: x[0:v->n]) // rex-expect: never-released
}

static void deferred(void)
{
#pragma omp target enter data map(to: a9) nowait // rex-expect: never-released
#pragma omp taskwait
#pragma omp target enter data map(to: b2) nowait
#pragma omp taskwait
#pragma omp target exit data map(release: b2) nowait
#pragma omp taskwait
}

static int number[2], late[N];

static void one_element(void)
{
#pragma omp target enter data map(to: number[1]) // rex-expect: never-released
}

static void again_after_the_end(void)
{
#pragma omp target enter data map(to: late)
#pragma omp target exit data map(delete: late)
#pragma omp target enter data map(to: late) // rex-expect: never-released
}

int main(void)
{
    int *p = some(), *q = some();
    struct vector v = {N, some()};
    two_of_three();
    other_section();
    one_of_two();
    part_of_rows();
    conditional(1);
    in_a_loop();
    early_return(4);
    inside_of_a_data_region();
    scalar();
    whole_structure();
    heap(p, q);
    behind_a_member(&v);
    deferred();
    one_element();
    again_after_the_end();
    printf("%d\n", a4[1][1] + (value > 0) + q[1]);
    return 0;
}
