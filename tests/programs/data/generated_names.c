// reference: -Wno-unknown-pragmas
// Variables, macros and types of the user's that are called as what generated host code declares.
#include <stdlib.h>

#include "data.h"

#define __rex_row_1 2
#define __arg_num(x) ((x) * 2)

static int in_sections(double *a)
{
    int _num_blocks_ = 8, _threads_per_block_ = 4, __device_id = 0, __rex_tripcount = 8;
    int __args = 3, __args_base = 1, __arg_sizes = 2, __arg_types = 4, __host_ptr = 1, __kernel_args = 0, right = 1;
    for (int i = 0; i < 8; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[0:_num_blocks_]) num_teams(_threads_per_block_) \
    thread_limit(__rex_tripcount) device(__device_id) if(__args == 3)
    for (int i = 0; i < _num_blocks_; i++)
        a[i] += __args + __args_base + __arg_sizes + __arg_types + __host_ptr + __kernel_args;
    for (int i = 0; i < 8; i++)
        right &= a[i] == i + 11;
    return right;
}

static int in_data(double *a)
{
    int __rex_on_device = 8, __rex_rows = 2, __rex_element_0 = 4, __end_args_base = 3, __rex_section_0 = 1, k = 0;
    double b[4][6];
    for (int i = 0; i < 24; i++)
        (&b[0][0])[i] = 1;
#pragma omp target data map(to: b) map(tofrom: a[0:__rex_on_device]) if(__rex_rows == 2) use_device_ptr(a)
    {
#pragma omp target map(present, alloc: b)
        for (int i = 0; i < 24; i++)
            (&b[0][0])[i] = 7;
#pragma omp target update from(b[0:__rex_rows][__rex_section_0:__rex_element_0])
        if (a)
            k = __end_args_base;
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++)
            // rex-ignore: lost-result: the rest is not copied back
            if (b[i][j] != (i < 2 && j >= 1 && j < 5 ? 7 : 1) && SEPARATE)
                return 0;
    return k != 1;
}

static int in_iterations(void)
{
    struct row { int n; int *values; } rows[3];
    int __rex_extent_1 = 3, row = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        rows[i].n = 2;
        rows[i].values = (int *)calloc(2, sizeof(int));
    }
#pragma omp target map(iterator(__rex_rows = 0:__rex_extent_1), tofrom: rows[__rex_rows].values[0:__rex_row_1])
    for (int i = 0; i < 3; i++)
        for (row = 0; row < 2; row++)
            rows[i].values[row] = __arg_num(i + 1);
    for (int i = 0; i < 3; i++) {
        sum += rows[i].values[0] + rows[i].values[1];
        free(rows[i].values);
    }
    return sum == 24;
}

/* Names that are made from the user's. */
static int made_from_names(int n)
{
    double a[n][n], a__rex_extent_1 = 2;
    int num = 5, __rex_type_x = 1, __rex_copy_x = 2, __rex_set_x = 3, x = 4, sum = 0, number = -2;
    for (int i = 0; i < n * n; i++)
        (&a[0][0])[i] = 0;
#pragma omp target map(tofrom: a) firstprivate(x)
    {
        x += __rex_type_x + __rex_copy_x + __rex_set_x;
        a[n - 1][n - 1] = x + a__rex_extent_1;
    }
#pragma omp target data map(tofrom: num) use_device_addr(num)
    {
#pragma omp target has_device_addr(num) map(from: number)
        {
            num += 1;
            number = 1;
#ifdef _OPENMP
            number = omp_get_device_num() >= -1;
#endif
        }
    }
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int __rex_partials = 0; __rex_partials < 10; __rex_partials++)
        sum += __rex_partials;
    return a[n - 1][n - 1] == 12 && num == 6 && number == 1 && sum == 45 && (x == 4 || !SEPARATE);
}

int main(void)
{
    double *a = (double *)malloc(8 * sizeof *a);
    CHECK(in_sections(a));
    CHECK(in_data(a));
    CHECK(in_iterations());
    CHECK(made_from_names(4));
    free(a);
    return CHECK_RESULT();
}
