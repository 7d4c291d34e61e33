/* transposition in tiles by views of matrices: the threads of a team step down a tile that is an object of a class */
#include "bench.h"
#ifndef __CUDACC__
#include <omp.h>
#endif
#define TILE 32
#define LINES 8
#define ROWS 4096
#define COLUMNS 4096
static const double bytes = 16.0 * ROWS * COLUMNS;
static double *in, *out;

static void setup(void)
{
    in = NEW(double, ROWS * COLUMNS), out = NEW(double, ROWS * COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i] = i;
}
#ifndef __CUDACC__
template <class T> class Matrix {
  public:
    Matrix(T *data, int rows, int columns) : data_(data), rows_(rows), columns_(columns) {}
    T &operator()(int row, int column) const { return data_[row * columns_ + column]; }
    int rows() const { return rows_; }
    int columns() const { return columns_; }

  private:
    T *data_;
    int rows_, columns_;
};
template <class T, int Size> struct Tile {
    T elements[Size][Size + 1];
    T &at(int row, int column) { return elements[row][column]; }
};
template <class T> void transpose(Matrix<const T> from, Matrix<T> to)
{
    const int down = from.rows() / TILE, across = from.columns() / TILE;
#pragma omp target teams num_teams(down * across) thread_limit(TILE * LINES)
    {
        Tile<T, TILE> tile;
#pragma omp parallel num_threads(TILE * LINES)
        {
            const int column = omp_get_team_num() % across * TILE, row = omp_get_team_num() / across * TILE;
            const int x = omp_get_thread_num() % TILE, y = omp_get_thread_num() / TILE;
            for (int r = y; r < TILE; r += LINES)
                tile.at(r, x) = from(row + r, column + x);
#pragma omp barrier
            for (int r = y; r < TILE; r += LINES)
                to(column + r, row + x) = tile.at(x, r);
        }
    }
}
static void begin(void)
{
#pragma omp target enter data map(to: in[0:ROWS * COLUMNS]) map(alloc: out[0:ROWS * COLUMNS])
}
static void step(void)
{
#pragma omp target data use_device_ptr(in, out)
    transpose(Matrix<const double>(in, ROWS, COLUMNS), Matrix<double>(out, COLUMNS, ROWS));
}
static void end(void)
{
#pragma omp target exit data map(from: out[0:ROWS * COLUMNS]) map(delete: in[0:ROWS * COLUMNS])
}
#else
static double *d_in, *d_out;
__global__ void transpose(int rows, int columns, const double *__restrict__ in, double *__restrict__ out)
{
    __shared__ double tile[TILE][TILE + 1];
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, x = threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += LINES)
        tile[r][x] = in[(row + r) * columns + column + x];
    __syncthreads();
    for (int r = threadIdx.y; r < TILE; r += LINES)
        out[(column + r) * rows + row + x] = tile[x][r];
}
static void begin(void) { d_in = device_copy(in, ROWS * COLUMNS), d_out = device_new<double>(ROWS * COLUMNS); }
static void step(void)
{
    transpose<<<dim3(COLUMNS / TILE, ROWS / TILE), dim3(TILE, LINES)>>>(ROWS, COLUMNS, d_in, d_out);
    device_wait();
}
static void end(void) { from_device(out, d_out, ROWS * COLUMNS); }
#endif
static int check(void)
{
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            if (out[c * ROWS + r] != in[r * COLUMNS + c])
                return 0;
    return 1;
}
#include "driver.h"
