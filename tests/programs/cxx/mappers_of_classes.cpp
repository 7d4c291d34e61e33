// declare mapper says how objects of a class get to the device: by default, by name, in target update.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Vec {
    int n;
    double *p;
};
#pragma omp declare mapper(Vec v) map(v, v.p[0:v.n])

namespace grid {
struct Field {
    int rows;
    double *cells;
    double scale;
};
#pragma omp declare mapper(only: Field f) map(to: f.rows, f.scale) map(tofrom: f.cells[0:f.rows])
}

static double total(Vec &v)
{
    double s = 0;
#pragma omp target map(mapper(default), tofrom: v) map(tofrom: s)
    for (int i = 0; i < v.n; ++i) {
        v.p[i] *= 2;
        s += v.p[i];
    }
    return s;
}

int main()
{
    double data[10], other[10];
    for (int i = 0; i < 10; ++i)
        data[i] = other[i] = i;
    Vec v{10, data};
    check("sum", total(v), 90.0);
    check("data", data[9], 18.0);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < v.n; ++i)
        v.p[i] += 1;
    check("implicit", data[0], 1.0);
    grid::Field f{10, other, 3};
#pragma omp target map(mapper(only), tofrom: f)
    for (int i = 0; i < f.rows; ++i)
        f.cells[i] *= f.scale;
    check("named", other[3], 9.0);
    return report();
}
