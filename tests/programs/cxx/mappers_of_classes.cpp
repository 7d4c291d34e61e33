// declare mapper says how objects of a class get to the device: by default, by name, in target update.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Vec {
    int n;
    double *p;
};
#pragma omp declare mapper(Vec v) map(v, v.p[0:v.n])

class Series {
    double *terms;
    int n;
#pragma omp declare mapper(Series s) map(s.n, s.terms) map(tofrom: s.terms[0:s.n])

public:
    Series(double *terms, int n) : terms(terms), n(n) {}
    double sum()
    {
        double s = 0;
        Series &own = *this;
#pragma omp target map(tofrom: own, s)
        for (int i = 0; i < own.n; ++i)
            s += own.terms[i] += 1;
        return s;
    }
};

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
    check("in its class", Series(other, 3).sum(), 12.0);
    check("back", other[2], 7.0);
    return report();
}
