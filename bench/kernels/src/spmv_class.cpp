/* a sparse matrix in compressed rows as a class: its constructor maps it, `apply` multiplies it by a vector */
#include "bench.h"
#define ROWS (1 << 20)
#define PER_ROW 27
static const double bytes = 12.0 * ROWS * PER_ROW + 20.0 * ROWS;

#ifdef __CUDACC__
__global__ void multiply(int rows, const int *__restrict__ first, const int *__restrict__ column, const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        double sum = 0;
        for (int k = first[i], end = first[i + 1]; k < end; ++k)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
#endif

class Matrix {
  public:
    Matrix(int rows, int per_row) : rows(rows), entries(rows * per_row), first(NEW(int, rows + 1)), column(NEW(int, entries)), value(NEW(double, entries))
    {
        for (int i = 0; i <= rows; ++i)
            first[i] = i * per_row;
        for (int k = 0; k < entries; ++k) {
            const int near = k / per_row + (k % per_row - per_row / 2) * 9;
            column[k] = near < 0 ? 0 : near < rows ? near : rows - 1;
            value[k] = k % 7 - 3;
        }
#ifdef __CUDACC__
        d_first = device_copy(first, rows + 1), d_column = device_copy(column, entries), d_value = device_copy(value, entries);
#else
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: this[0:1], first[0:rows + 1], column[0:entries], value[0:entries])
#endif
    }
    void apply(const double *x, double *y) const
    {
#ifdef __CUDACC__
        multiply<<<blocks_for(rows, 128), 128>>>(rows, d_first, d_column, d_value, x, y);
        device_wait();
#else
#pragma omp target teams distribute parallel for map(to: x[0:rows]) map(from: y[0:rows])
        for (int i = 0; i < rows; ++i) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; ++k)
                sum += value[k] * x[column[k]];
            y[i] = sum;
        }
#endif
    }
    double row(int i, const double *x) const
    {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; ++k)
            sum += value[k] * x[column[k]];
        return sum;
    }

  private:
    int rows, entries, *first, *column;
    double *value;
#ifdef __CUDACC__
    int *d_first, *d_column;
    double *d_value;
#endif
};

static Matrix *matrix;
static double *x, *y;
#ifdef __CUDACC__
static double *d_x, *d_y;
#endif
static void setup(void)
{
    x = NEW(double, ROWS), y = NEW(double, ROWS);
    for (int i = 0; i < ROWS; ++i)
        x[i] = i % 9;
}
static void begin(void)
{
    matrix = new Matrix(ROWS, PER_ROW);
#ifdef __CUDACC__
    d_x = device_copy(x, ROWS), d_y = device_new<double>(ROWS);
#else
// rex-ignore: leak: the process ends with them
#pragma omp target enter data map(to: x[0:ROWS]) map(alloc: y[0:ROWS])
#endif
}
static void step(void)
{
#ifdef __CUDACC__
    matrix->apply(d_x, d_y);
#else
    matrix->apply(x, y);
#endif
}
static void end(void)
{
#ifdef __CUDACC__
    from_device(y, d_y, ROWS);
#else
#pragma omp target exit data map(from: y[0:ROWS])
#endif
}
static int check(void)
{
    for (int i = 0; i < ROWS; i += 7)
        if (y[i] != matrix->row(i, x))
            return 0;
    return 1;
}
#include "driver.h"
