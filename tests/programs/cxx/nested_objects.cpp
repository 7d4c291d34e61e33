// Members of nested objects in map clauses, in regions and by value.
#include "check.hpp"

struct Inner {
    int n;
    double *p;
    double coefficients[3];
};
struct Outer {
    Inner first, second;
    int id;
};

int main()
{
    double a[20], b[20];
    for (int i = 0; i < 20; ++i)
        a[i] = i, b[i] = 1;
    Outer o{{20, a, {1, 2, 3}}, {20, b, {4, 5, 6}}, 9};
#pragma omp target map(to: o.first.n, o.first.p[0:20], o.second.coefficients) map(tofrom: o.second.p[0:20])
    for (int i = 0; i < o.first.n; ++i)
        o.second.p[i] += o.first.p[i] * o.second.coefficients[i % 3];
    for (int i = 0; i < 20; ++i)
        check("b", b[i], 1 + i * (4.0 + i % 3));
    int id = 0;
#pragma omp target map(from: id) map(tofrom: o.id)
    {
        o.id += 1;
        id = o.id;
    }
    check("id", id, 10);
    check("o.id", o.id, 10);
    Outer many[3] = {o, o, o};
#pragma omp target teams distribute parallel for map(tofrom: many[0:3])
    for (int i = 0; i < 3; ++i) {
        many[i].id = i;
        many[i].first.coefficients[1] = 2 * i;
    }
    check("many", many[2].id, 2);
    check("coefficients", many[2].first.coefficients[1], 4.0);
    return report();
}
