// declare mapper on a class with a pointer member, default and named, in namespaces and for class templates.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

namespace lin {
struct Vec
{
    int n;
    double *data;
    double &at(int i) { return data[i]; }
};
#pragma omp declare mapper(Vec v) map(v, v.data[0 : v.n])
#pragma omp declare mapper(head : Vec v) map(to : v) map(v.data[0 : 2])

double dot(Vec a, Vec b)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a, b)
    for (int i = 0; i < a.n; i++)
        s += a.at(i) * b.at(i);
    return s;
}
} // namespace lin

template <class T> struct Buf
{
    T *p;
    int n;
};
using FloatBuf = Buf<float>;
#pragma omp declare mapper(FloatBuf b) map(b.n, b.p, b.p[0 : b.n])

int main()
{
    double x[40], y[40];
    for (int i = 0; i < 40; i++)
        x[i] = i, y[i] = 1 + i % 3;
    lin::Vec a{40, x}, b{40, y};
    double want = 0;
    for (int i = 0; i < 40; i++)
        want += x[i] * y[i];
    check("dot", lin::dot(a, b), want);
#pragma omp target map(tofrom : a)
    for (int i = 0; i < a.n; i++)
        a.at(i) = -i;
    check("x", x[39], -39.0);
#pragma omp target map(mapper(head), tofrom : b)
    b.data[1] = 77;
    check("y", y[1], 77.0);
    float f[9] = {};
    FloatBuf fb{f, 9};
#pragma omp target enter data map(to : fb)
#pragma omp target
    for (int i = 0; i < fb.n; i++)
        fb.p[i] += 2.f * static_cast<float>(i);
#pragma omp target exit data map(from : fb)
    check("f", f[8], 16.f);
    return report();
}
