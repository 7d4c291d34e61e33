// What methods give that return a reference to a part of their object, and containers that are mapped byte by byte.
#include <memory>
#include <vector>

template <class T> struct Matrix {
    T *cells;
    int rows, columns;
    Matrix(int r, int c) : cells(new T[r * c]()), rows(r), columns(c) {}
    ~Matrix() { delete[] cells; }
    T &operator()(int i, int j) { return cells[i * columns + j]; }
    const T &at(int i) const { return cells[i]; }
    T &nested(int i) { return cells[i > 0 ? nested(i - 1) > 0 : 0]; }
};
struct Row {
    double *cells;
    double &operator[](int i) { return cells[i]; }
};

static double by_operators(int n)
{
    Row row{new double[n]};
    Matrix<double> whole(n, 2), parts(n, 2);
#pragma omp target map(tofrom: row)
    for (int i = 0; i < n; ++i)
        row[i] = i; // rex-expect: unmapped-pointer
#pragma omp target map(tofrom: whole)
    for (int i = 0; i < n; ++i)
        whole(i, 1) = whole.at(0); // rex-expect: unmapped-pointer
#pragma omp target enter data map(to: parts) map(to: parts.cells[0:2 * n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        parts(i, 1) = parts.at(2 * i);
    double seen = parts(0, 1); // rex-expect: stale (likely)
#pragma omp target exit data map(from: parts.cells[0:2 * n]) map(release: parts)
    seen += row[0] + whole(1, 1) + parts(1, 1) + whole.nested(2);
    delete[] row.cells;
    return seen;
}

struct Outer {
    Row inner;
    int n;
};
static double nested(double *values)
{
    double own[16] = {1};
    Outer wrong{{own}, 16}, right{{values}, 16};
#pragma omp target map(to: wrong)
    for (int i = 0; i < wrong.n; ++i)
        wrong.inner.cells[i] += 1; // rex-expect: unmapped-pointer
#pragma omp target map(to: right) map(tofrom: right.inner.cells[0:16])
    for (int i = 0; i < right.n; ++i)
        right.inner[i] += 1;
    return right.inner[2] + wrong.inner[2];
}

static int by_bytes()
{
    std::vector<int> v(30, 4), w(30, 4);
    auto one = std::make_unique<int>(5);
    int total = 0;
#pragma omp target map(to: v) map(tofrom: total)
    for (int i = 0; i < 30; ++i)
        total += v[i]; // rex-expect: unmapped-pointer
#pragma omp target map(to: one) map(tofrom: total)
    total += *one; // rex-expect: unmapped-pointer
    int *p = w.data();
#pragma omp target map(to: p[0:w.size()]) map(tofrom: total)
    for (int i = 0; i < 30; ++i)
        total += p[i];
    return total;
}

int main()
{
    double values[16] = {2};
    return by_operators(20) + nested(values) > by_bytes();
}
