// lastprivate of scalars, arrays and objects of classes.
#include "check.hpp"

struct Point {
    int x, y;
};

int main()
{
    Point p{0, 0};
    int last = -1, row[2] = {};
#pragma omp target teams distribute parallel for lastprivate(p, last, row) map(tofrom: p, last, row)
    for (int i = 0; i < 50; ++i) {
        p.x = i;
        p.y = 2 * i;
        last = i * i;
        row[0] = i;
        row[1] = i + 1;
    }
    check("x", p.x, 49);
    check("y", p.y, 98);
    check("last", last, 2401);
    check("row", row[1], 50);
    int k = 0, n = 0;
#pragma omp target parallel for collapse(2) lastprivate(k) map(tofrom: k)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
            k = i * 10 + j;
    check("collapsed", k, 34);
#pragma omp target map(tofrom: n)
#pragma omp parallel for firstprivate(n) lastprivate(n)
    for (int i = 0; i < 5; ++i)
        n = i;
    check("both", n, 4);
    return report();
}
