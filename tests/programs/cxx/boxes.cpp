// declare reduction on a class with operators and a constructor, in a namespace, and one in a class template's function.
#include "check.hpp"

namespace geo {
struct Box
{
    double lo[2], hi[2];
    Box() : lo{1e30, 1e30}, hi{-1e30, -1e30} {}
    void add(double x, double y)
    {
        lo[0] = x < lo[0] ? x : lo[0];
        lo[1] = y < lo[1] ? y : lo[1];
        hi[0] = x > hi[0] ? x : hi[0];
        hi[1] = y > hi[1] ? y : hi[1];
    }
    Box &operator|=(const Box &o)
    {
        for (int d = 0; d < 2; d++) {
            lo[d] = o.lo[d] < lo[d] ? o.lo[d] : lo[d];
            hi[d] = o.hi[d] > hi[d] ? o.hi[d] : hi[d];
        }
        return *this;
    }
};
#pragma omp declare reduction(join : Box : omp_out |= omp_in) initializer(omp_priv = Box())

Box bounds(const double *x, const double *y, int n)
{
    Box b;
#pragma omp target teams distribute parallel for reduction(join : b) map(to : x[0 : n], y[0 : n])
    for (int i = 0; i < n; i++)
        b.add(x[i], y[i]);
    return b;
}
} // namespace geo

template <class T> struct Acc
{
    T s, q;
    Acc operator+(const Acc &o) const { return {s + o.s, q + o.q}; }
};
#pragma omp declare reduction(+ : Acc<double> : omp_out = omp_out + omp_in) initializer(omp_priv = Acc<double>{0, 0})

int main()
{
    const int n = 300;
    double x[n], y[n];
    for (int i = 0; i < n; i++) {
        x[i] = (i * 7) % 301 - 100;
        y[i] = (i * 13) % 307 + 0.5;
    }
    geo::Box b = geo::bounds(x, y, n);
    geo::Box c;
    for (int i = 0; i < n; i++)
        c.add(x[i], y[i]);
    check("lo", b.lo[0], c.lo[0]);
    check("lo1", b.lo[1], c.lo[1]);
    check("hi", b.hi[0], c.hi[0]);
    check("hi1", b.hi[1], c.hi[1]);
    Acc<double> a{0, 0};
#pragma omp target teams distribute parallel for reduction(+ : a) map(to : x)
    for (int i = 0; i < n; i++) {
        a.s += x[i];
        a.q += x[i] * x[i];
    }
    double s = 0, q = 0;
    for (double v : x)
        s += v, q += v * v;
    check("s", a.s, s);
    check("q", a.q, q);
    return report();
}
