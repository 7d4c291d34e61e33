// always, present, alloc, delete, release and several levels of target data.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

struct Grid {
    int n;
    int *cells;
    void advance()
    {
        const int count = n;
#pragma omp target teams distribute parallel for map(present, alloc: cells[0:count])
        for (int i = 0; i < count; ++i)
            cells[i] += 1;
    }
};

int main()
{
    int c[12] = {}, flag = 1;
    Grid g{12, c};
#pragma omp target data map(tofrom: g.cells[0:g.n]) map(to: flag)
    {
        g.advance(); // the object is mapped for the region
        flag = 2;
#pragma omp target map(always, to: flag) map(always, from: g.cells[0:1])
        g.cells[0] += flag;
        check("always", c[0], 3);
#pragma omp target update from(g.cells[1:2])
        check("update", c[2], 1);
        c[3] = 50;
#pragma omp target update to(g.cells[3:1])
#pragma omp target data map(g.cells[0:g.n])
        g.advance();
    }
    check("end", c[11], 2);
    check("to", c[3], 51);
    return report();
}
