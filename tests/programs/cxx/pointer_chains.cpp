// List items that lead through several pointers, as objects in objects and rows of rows.
#include "check.hpp"

template <class T> struct Inner {
    T *values, *more;
    int n;
};

template <class T> struct Outer {
    Inner<T> *inner;
    T **rows;
    Inner<T> in;
    T sum_inside(int n)
    {
        T sum = 0;
        const Inner<T> *own = inner;  // gcc 12 crashes where a clause says inner->values
#pragma omp target teams distribute parallel for map(to: own->values[0:n], rows[1][0:n]) \
        reduction(+: sum)
        for (int i = 0; i < n; ++i)
            sum += own->values[i] * rows[1][i];
        return sum;
    }
};

template <class T>
void add(Outer<T> *o, T **p, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: o->inner->values[0:n]) \
    map(to: o->inner->more[0:n], o->inner->n, p[0][0:n])
    for (int i = 0; i < o->inner->n; ++i)
        o->inner->values[i] += o->inner->more[i] + p[0][i];
}

int main()
{
    const int n = 20;
    double a[20], b[20], c[20];
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 1;
        c[i] = 2 * i;
    }
    double *rows[2] = {b, c}, **p = rows;
    Inner<double> inner = {a, b, n};
    Outer<double> outer = {&inner, rows, {a, b, n}};
    check("sum", outer.sum_inside(n), 2. * 19 * 20 * 39 / 6);
    add(&outer, p, n);
    check("added", a[5] == 7 && a[19] == 21, true);
    add<double>(&outer, &p[1], n);
    check("added again", a[5] == 18 && a[19] == 21 + 1 + 38, true);
    check("host pointers", inner.values == a && outer.inner == &inner && rows[0] == b, true);
#pragma omp target data map(tofrom: p[0][0:n])
    {
#pragma omp target map(tofrom: p[1][0:n])
        for (int i = 0; i < n; ++i)
            p[1][i] = -i;
#pragma omp target map(p[0])
        p[0][3] = 33;
    }
    check("rows", b[3] == 33 && c[4] == -4, true);
    Outer<double> *o = &outer;
#pragma omp target enter data map(to: o->inner[0:1], o->inner->values[0:n])
    a[0] = 100;
#pragma omp target update to(o->inner->values[0:n])
#pragma omp target map(o->inner)
    o->inner->values[1] = o->inner->values[0];
#pragma omp target exit data map(from: o->inner->values[0:n]) map(release: o->inner[0:1])
    check("data", a[1], 100.);
    double matrix[3][4] = {}, (*m)[4] = matrix, *flat = matrix[0];
#pragma omp target map(tofrom: m[0:3])
    m[1][2] = 5;
#pragma omp target map(tofrom: flat[0:12], outer.in.values[0:n], outer.rows[0][0:n])
    {
        flat[7] = 6;
        outer.in.values[2] = 8;
        outer.rows[0][3] = 4;
    }
    check("others", matrix[1][2] == 5 && matrix[1][3] == 6 && a[2] == 8 && b[3] == 4, true);
    return report();
}
