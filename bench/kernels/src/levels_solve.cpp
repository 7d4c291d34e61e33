/* a sparse lower triangular system: rows that depend on no other one of their level are solved together, a launch for each level */
#include "bench.h"
#define NX 128
#define NY 128
#define NZ 32
#define ROWS (NX * NY * NZ)
#define LEVELS (NX + NY + NZ - 2)
static const double bytes = 0;

template <class T> struct Triangle { /* rows in compressed form, and the levels' rows one level after the other */
    int rows, entries;
    int *begins, *columns, *order;
    T *values, *diagonal;
};
static Triangle<double> lower;
static int levels[LEVELS + 1];
static double *right, *x;

static void setup(void)
{
    lower = {ROWS, 0, NEW(int, ROWS + 1), NEW(int, 3 * ROWS), NEW(int, ROWS), NEW(double, 3 * ROWS), NEW(double, ROWS)};
    right = NEW(double, ROWS), x = NEW(double, ROWS);
    for (int i = 0; i < ROWS; ++i) {
        const int at[3] = {i % NX, i / NX % NY, i / (NX * NY)}, back[3] = {1, NX, NX * NY};
        lower.begins[i] = lower.entries;
        for (int d = 2; d >= 0; --d)
            if (at[d] > 0)
                lower.columns[lower.entries] = i - back[d], lower.values[lower.entries++] = -0.25 - (double)(i % 13) / 256;
        lower.diagonal[i] = 1 + (double)(i % 7) / 64;
        right[i] = (double)(i % 101) / 64 - 0.5;
        x[i] = 0;
        ++levels[at[0] + at[1] + at[2] + 1];
    }
    lower.begins[ROWS] = lower.entries;
    for (int l = 0; l < LEVELS; ++l)
        levels[l + 1] += levels[l];
    static int next[LEVELS];
    memcpy(next, levels, sizeof next);
    for (int i = 0; i < ROWS; ++i)
        lower.order[next[i % NX + i / NX % NY + i / (NX * NY)]++] = i;
}
#ifndef __CUDACC__
template <class T> class Solver {
  public:
    explicit Solver(const Triangle<T> &matrix) : begins(matrix.begins), columns(matrix.columns), order(matrix.order), values(matrix.values), diagonal(matrix.diagonal) {}
    void solve(int count, const int *levels, const T *right, T *x) const
    {
        for (int l = 0; l < count; ++l)
            level(levels[l], levels[l + 1], right, x);
    }

  private:
    void level(int from, int to, const T *right, T *x) const
    {
        const int *const begins = this->begins, *const columns = this->columns, *const order = this->order;
        const T *const values = this->values, *const diagonal = this->diagonal;
#pragma omp target teams distribute parallel for
        for (int k = from; k < to; ++k) {
            const int row = order[k];
            T sum = right[row];
            for (int e = begins[row]; e < begins[row + 1]; ++e)
                sum -= values[e] * x[columns[e]];
            x[row] = sum / diagonal[row];
        }
    }
    const int *begins, *columns, *order;
    const T *values, *diagonal;
};
static void begin(void)
{
#pragma omp target enter data map(to: lower.begins[0:ROWS + 1], lower.columns[0:3 * ROWS], lower.order[0:ROWS], lower.values[0:3 * ROWS], lower.diagonal[0:ROWS], right[0:ROWS], x[0:ROWS])
}
static void step(void) { Solver<double>(lower).solve(LEVELS, levels, right, x); }
static void end(void)
{
#pragma omp target exit data map(from: x[0:ROWS]) map(delete: lower.begins[0:ROWS + 1], lower.columns[0:3 * ROWS], lower.order[0:ROWS], lower.values[0:3 * ROWS], lower.diagonal[0:ROWS], right[0:ROWS])
}
#else
static int *d_begins, *d_columns, *d_order;
static double *d_values, *d_diagonal, *d_right, *d_x;
__global__ void level(int from, int to, const int *__restrict__ begins, const int *__restrict__ columns, const int *__restrict__ order, const double *__restrict__ values, const double *__restrict__ diagonal,
                      const double *__restrict__ right, double *x)
{
    const int k = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= to)
        return;
    const int row = order[k];
    double sum = right[row];
    for (int e = begins[row], last = begins[row + 1]; e < last; ++e)
        sum -= values[e] * x[columns[e]];
    x[row] = sum / diagonal[row];
}
static void begin(void)
{
    d_begins = device_copy(lower.begins, ROWS + 1), d_columns = device_copy(lower.columns, 3 * ROWS), d_order = device_copy(lower.order, ROWS);
    d_values = device_copy(lower.values, 3 * ROWS), d_diagonal = device_copy(lower.diagonal, ROWS);
    d_right = device_copy(right, ROWS), d_x = device_copy(x, ROWS);
}
static void step(void)
{
    for (int l = 0; l < LEVELS; ++l)
        level<<<blocks_for(levels[l + 1] - levels[l], 128), 128>>>(levels[l], levels[l + 1], d_begins, d_columns, d_order, d_values, d_diagonal, d_right, d_x);
    device_wait();
}
static void end(void) { from_device(x, d_x, ROWS); }
#endif
static int check(void)
{
    for (int i = 0; i < ROWS; ++i) {
        double sum = lower.diagonal[i] * x[i], size = fabs(sum);
        for (int e = lower.begins[i]; e < lower.begins[i + 1]; ++e)
            sum += lower.values[e] * x[lower.columns[e]], size += fabs(lower.values[e] * x[lower.columns[e]]);
        if (fabs(sum - right[i]) > 1e-9 * (1 + size))
            return 0;
    }
    return 1;
}
#include "driver.h"
