// References to members, to elements and to pointers in map clauses and regions.
#include "check.hpp"

struct Body {
    double mass;
    double *trail;
    int length;
};

static void grow(double &m, double *&t, const int &n)
{
#pragma omp target map(tofrom: m) map(tofrom: t[0:n])
    {
        m += 1;
        for (int i = 0; i < n; ++i)
            t[i] *= m;
    }
}

int main()
{
    double trail[8];
    for (int i = 0; i < 8; ++i)
        trail[i] = i;
    Body b{2, trail, 8};
    grow(b.mass, b.trail, b.length);
    check("mass", b.mass, 3.0);
    check("trail", trail[7], 21.0);
    auto &mass = b.mass;
    auto &t = b.trail;
    const auto &n = b.length;
#pragma omp target teams distribute parallel for map(to: t[0:n]) map(tofrom: mass) reduction(+: mass)
    for (int i = 0; i < n; ++i)
        mass += t[i];
    check("reduced", b.mass, 3.0 + 3 * 28);
    int values[4] = {1, 2, 3, 4};
    int &third = values[2];
    int(&all)[4] = values;
#pragma omp target map(tofrom: third)
    third = 30;
    check("element", values[2], 30);
#pragma omp target map(tofrom: all)
    for (int &v : all)
        v += 1;
    check("array", values[2], 31);
    return report();
}
