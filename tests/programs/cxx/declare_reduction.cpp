// declare reduction over classes, in regions, parallel regions, templates and namespaces.
#include "check.hpp"

struct Range {
    int low, high;
    Range() : low(1000000), high(-1000000) {}
    Range(int a, int b) : low(a), high(b) {}
    void add(const Range &o)
    {
        if (o.low < low) low = o.low;
        if (o.high > high) high = o.high;
    }
};
#pragma omp declare reduction(span: Range : omp_out.add(omp_in)) initializer(omp_priv = Range())

namespace app {
struct Point {
    double x, y;
    Point &operator+=(const Point &o)
    {
        x += o.x;
        y += o.y;
        return *this;
    }
};
#pragma omp declare reduction(+: Point : omp_out += omp_in) initializer(omp_priv = Point{0, 0})

Point sum(const Point *p, int n)
{
    Point s{1, 2};
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: s) reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += p[i];
    return s;
}

double last(const Point *p, int n)
{
#pragma omp declare reduction(last: Point : omp_out = omp_in.x > omp_out.x ? omp_in : omp_out)
    Point s{0, 0};
#pragma omp target teams distribute parallel for map(to: p[0:n]) map(tofrom: s) reduction(last: s)
    for (int i = 0; i < n; ++i)
        s = p[i].x > s.x ? p[i] : s;
    return s.x;
}
}

int main()
{
    int a[100];
    for (int i = 0; i < 100; ++i)
        a[i] = (i * 37) % 101 - 50;
    Range r;
#pragma omp target teams distribute parallel for map(to: a) map(tofrom: r) reduction(span: r)
    for (int i = 0; i < 100; ++i)
        r.add(Range(a[i], a[i]));
    int low = a[0], high = a[0];
    for (int v : a) {
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    check("low", r.low, low);
    check("high", r.high, high);
    app::Point p[50];
    for (int i = 0; i < 50; ++i)
        p[i] = {double(i), 1.0};
    app::Point s = app::sum(p, 50);
    check("x", s.x, 1226.0);
    check("y", s.y, 52.0);
    check("declared in the function", app::last(p, 50), 49.0);
    Range t;
#pragma omp target map(to: a) map(tofrom: t)
    {
#pragma omp parallel for reduction(span: t)
        for (int i = 0; i < 100; ++i)
            t.add(Range(a[i], a[i]));
    }
    check("inner", t.high, high);
    return report();
}
