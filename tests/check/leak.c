/* Wrong: data that no 'exit data' of the file removes. These are likely only, because another file may do it, unless
   the data's life ends on the host while it is mapped. */
#include <stdlib.h>
typedef struct { double *values; int *index; int n; } matrix;

void array(double *forgotten, int n)
{
#pragma omp target enter data map(to: forgotten[0:n]) // rex-expect: leak (likely)
}
void allocated(int n)
{
    double *scratch = malloc(n * sizeof *scratch);
#pragma omp target enter data map(alloc: scratch[0:n]) // rex-expect: leak
    free(scratch);
}
void member(matrix *m)
{
#pragma omp target enter data map(to: m->values[0:m->n]) // rex-expect: leak (likely)
}
void one_of_two(double *kept, double *other, int n)
{
#pragma omp target enter data map(to: kept[0:n], other[0:n]) // rex-expect: leak (likely)
#pragma omp target exit data map(from: kept[0:n])
}
void scalar(void)
{
    int single = 1;
#pragma omp target enter data map(to: single) // rex-expect: leak
}
void local_array(void)
{
    double table[8] = {0};
#pragma omp target enter data map(to: table) // rex-expect: leak
}
void updated_only(double *field, int n)
{
#pragma omp target enter data map(to: field[0:n]) // rex-expect: leak (likely)
#pragma omp target update from(field[0:n])
}
static double grid[10];
void global(void)
{
#pragma omp target enter data map(alloc: grid) // rex-expect: leak (likely)
}
void in_a_loop(double **rows, int n)
{
    for (int i = 0; i < 3; ++i) {
#pragma omp target enter data map(to: rows[i][0:n]) // rex-expect: leak (likely)
    }
}
void deferred(double *late, int n)
{
#pragma omp target enter data map(to: late[0:n]) nowait // rex-expect: leak (likely)
#pragma omp taskwait
}
void on_a_condition(double *some, int n, int wanted)
{
#pragma omp target enter data map(to: some[0:n]) if(wanted) // rex-expect: leak (likely)
}
void part(double *piece, int n)
{
#pragma omp target enter data map(to: piece[n:n]) // rex-expect: leak (likely)
}
void twice(double *same, int n)
{
#pragma omp target enter data map(to: same[0:n]) // rex-expect: leak (likely)
#pragma omp target enter data map(to: same[0:n]) // rex-expect: leak (likely)
}
void of_a_structure(matrix m)
{
#pragma omp target enter data map(to: m) // rex-expect: leak
}
void in_a_region_of_data(double *inside, double *outside, int n)
{
#pragma omp target data map(tofrom: outside[0:n])
    {
#pragma omp target enter data map(to: inside[0:n]) // rex-expect: leak (likely)
    }
}
int early_return(int n)
{
    double *work = malloc(n * sizeof *work);
#pragma omp target enter data map(alloc: work[0:n]) // rex-expect: leak
    int bad = 0;
#pragma omp target map(tofrom: bad)
    bad = n > 7;
    if (bad) {
        free(work);
        return 1;
    }
#pragma omp target exit data map(delete: work[0:n])
    free(work);
    return 0;
}
void entered_twice(int n)
{
    double *doubled = malloc(n * sizeof *doubled);
#pragma omp target enter data map(alloc: doubled[0:n]) // rex-expect: leak
#pragma omp target enter data map(alloc: doubled[0:n])
#pragma omp target exit data map(release: doubled[0:n])
    free(doubled);
}
void not_on_all_ways(int n, int keep)
{
    double *perhaps = malloc(n * sizeof *perhaps);
#pragma omp target enter data map(alloc: perhaps[0:n]) // rex-expect: leak (likely)
    if (!keep) {
#pragma omp target exit data map(delete: perhaps[0:n])
    }
    free(perhaps);
}
int past_the_exit(int n)
{
    double *jumped = malloc(n * sizeof *jumped);
#pragma omp target enter data map(alloc: jumped[0:n]) // rex-expect: leak (likely)
    if (n > 1000)
        goto out;
#pragma omp target exit data map(delete: jumped[0:n])
out:
    free(jumped);
    return n;
}

/* Right. */

int a0(int n, int wanted)
{
    int status = 0;
    double *x0 = malloc(n * sizeof *x0);
    if (wanted) {
#pragma omp target enter data map(alloc: x0[0:n])
    }
    if (n > 1000) {
        status = 1;
        goto done;
    }
    for (int i = 0; i < n; ++i) {
        if (x0[i] > 0)
            goto next;
        x0[i] = 0;
next:;
    }
done:
    if (wanted) {
#pragma omp target exit data map(delete: x0[0:n])
    }
    free(x0);
    return status;
}
int a00(int n)
{
    int status = 0;
    double *x00 = malloc(n * sizeof *x00);
    if (!x00)
        goto none;
#pragma omp target enter data map(alloc: x00[0:n])
    if (n > 1000) {
        status = 1;
        goto done;
    }
#pragma omp target
    x00[0] = 1;
done:;
#pragma omp target exit data map(delete: x00[0:n])
none:
    free(x00);
    return status;
}

void a1(double *x1, int n)
{
#pragma omp target enter data map(to: x1[0:n])
#pragma omp target exit data map(from: x1[0:n])
}
void a2(double *x2, int n)
{
#pragma omp target enter data map(alloc: x2[0:n])
#pragma omp target exit data map(delete: x2[0:n])
}
void a3(double *x3, int n)
{
#pragma omp target enter data map(to: x3[0:n])
#pragma omp target exit data map(release: x3[0:n])
}
void enter4(double *x4, int n)
{
#pragma omp target enter data map(to: x4[0:n])
}
void leave4(double *x4, int n)
{
#pragma omp target exit data map(from: x4[0:n])
}
void enter5(matrix *m)
{
#pragma omp target enter data map(to: m->index[0:m->n])
}
void leave5(matrix *other)
{
#pragma omp target exit data map(delete: other->index[0:other->n])
}
void a6(double *x6, int n)
{
#pragma omp target data map(to: x6[0:n])
    {
#pragma omp target
        x6[0] = 1;
    }
}
void a7(double *x7, int n)
{
#pragma omp target enter data map(to: x7[0:n]) nowait
#pragma omp taskwait
#pragma omp target exit data map(from: x7[0:n]) nowait
}
void a8(double *x8, int n, int wanted)
{
#pragma omp target enter data map(to: x8[0:n]) if(wanted)
#pragma omp target exit data map(from: x8[0:n]) if(wanted)
}
void a9(void)
{
    int x9 = 1;
#pragma omp target enter data map(to: x9)
#pragma omp target exit data map(from: x9)
}
void a10(void)
{
    double x10[8] = {0};
#pragma omp target enter data map(to: x10)
#pragma omp target exit data map(from: x10)
}
void a11(double *x11, double *y11, int n)
{
#pragma omp target enter data map(to: x11[0:n]) map(alloc: y11[0:n])
#pragma omp target exit data map(from: y11[0:n]) map(release: x11[0:n])
}
void a12(double *x12, int n)
{
#pragma omp target map(tofrom: x12[0:n])
    x12[0] = n;
}
void a13(double *x13, int n)
{
#pragma omp target enter data map(to: x13[0:n])
#pragma omp target update from(x13[0:n])
#pragma omp target exit data map(delete: x13[0:n])
}
void a14(double **x14, int n)
{
    for (int i = 0; i < 3; ++i) {
#pragma omp target enter data map(to: x14[i][0:n])
    }
    for (int i = 0; i < 3; ++i) {
#pragma omp target exit data map(from: x14[i][0:n])
    }
}
void a15(double *x15, int n)
{
#pragma omp target enter data map(to: x15[0:n]) // rex-ignore: leak: it stays until the program ends
}

void early_way_out(double *early, int n)
{
#pragma omp target enter data map(to: early[0:n]) // rex-expect: leak (likely)
    if (n > 3)
        return;
#pragma omp target exit data map(release: early[0:n])
}

void each_way_out(double *each, int n)
{
#pragma omp target enter data map(to: each[0:n])
    if (n > 3) {
#pragma omp target exit data map(delete: each[0:n])
        return;
    }
#pragma omp target exit data map(release: each[0:n])
}

void once_too_seldom(double *z, int n)
{
#pragma omp target enter data map(to: z[0:n]) // rex-expect: leak (likely)
#pragma omp target enter data map(to: z[0:n])
#pragma omp target exit data map(release: z[0:n])
}

/* Right: a pointer goes along the list that was entered by other names. */
typedef struct cell {
    double value;
    struct cell *next;
} cell;
void enter_list(cell *head, cell *behind)
{
#pragma omp target enter data map(to: head[0:1])
#pragma omp target enter data map(to: behind[0:1])
}
void leave_list(cell *one)
{
    for (; one; one = one->next) {
#pragma omp target exit data map(from: one[0:1])
    }
}
