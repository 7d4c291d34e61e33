// target data, enter data, exit data, update, and references, arrays and objects as list items.
#include "check.hpp"

struct Grid {
    int n;
    double *cells;
    double origin[2];
};

static void fill(double *&cells, int &n, double (&table)[4])
{
#pragma omp target teams distribute parallel for map(tofrom: cells[0:n]) map(to: table)
    for (int i = 0; i < n; ++i)
        cells[i] += table[i % 4];
}

int main()
{
    const int n = 64;
    double *a = new double[n], *b = new double[n];
    for (int i = 0; i < n; ++i)
        a[i] = b[i] = i;
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            b[i] += a[i];
        a[3] = 100;
#pragma omp target update to(a[3:1])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            b[i] += a[i];
    }
    check("target data", b[3] + b[10], 106.0 + 30.0);
#pragma omp target enter data map(to: a[0:n])
#pragma omp target
    a[1] = 77;
#pragma omp target update from(a[1:1])
    check("update from", a[1], 77.0);
#pragma omp target exit data map(delete: a[0:n])
    Grid grid = {n, b, {1, 2}};
#pragma omp target enter data map(to: grid) map(to: grid.cells[0:n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < grid.n; ++i)
        grid.cells[i] = grid.origin[1] * i;
#pragma omp target exit data map(from: grid.cells[0:n]) map(release: grid)
    check("a member's section", b[5], 10.0);
    Grid *pointer = &grid;
#pragma omp target teams distribute parallel for map(tofrom: pointer->cells[0:pointer->n])
    for (int i = 0; i < n; ++i)
        pointer->cells[i] += 1;
    check("a section through a pointer", b[5], 11.0);
    double table[4] = {1, 2, 3, 4};
    int count = n;
    fill(b, count, table);
    check("references", b[5], 13.0);
#pragma omp target data map(tofrom: b[0:n]) use_device_ptr(b)
    {
#pragma omp target is_device_ptr(b)
        b[0] = -5;
    }
    check("device pointers", b[0], -5.0);
    delete[] a;
    delete[] b;
    return report();
}
