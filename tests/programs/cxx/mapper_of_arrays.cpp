// declare mapper for every element: sections, arrays, arrays of arrays, members that are arrays, in data constructs and updates.
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#include <vector>

struct Vec {
    int n;
    double *p;
    int size() const { return n; }
};
#pragma omp declare mapper(Vec v) map(v, v.p[0:v.size()])

struct Pair {
    Vec ends[2];
    int tag;
};
#pragma omp declare mapper(Pair q) map(q.tag, q.ends)

#ifdef _OPENMP
static const bool copies = true;
#else
static const bool copies = false;
#endif
static int calls;
static int first()
{
    ++calls;
    return 1;
}

static double total(Vec *v, int n)
{
    double s = 0;
#pragma omp target teams distribute parallel for map(tofrom: v[0:n]) reduction(+: s)
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < v[k].n; ++i) {
            v[k].p[i] += 1;
            s += v[k].p[i];
        }
    return s;
}

int main()
{
    double data[6][5];
    Vec v[6], grid[2][3];
    std::vector<Vec> list(6);
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 5; ++i)
            data[k][i] = k;
        v[k] = list[k] = grid[k / 3][k % 3] = Vec{k, data[k]};
    }
    check("section", total(v, 6), 15.0 + 55.0);
    check("changed", data[5][4] + data[4][3], 11.0);
    check("of a vector", total(list.data(), 6), 30.0 + 55.0);

#pragma omp target map(v)
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < v[k].n; ++i)
            v[k].p[i] *= 2;
    check("array", data[5][0], 14.0);
#pragma omp target teams distribute parallel for collapse(2)
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < grid[k][j].n; ++i)
                grid[k][j].p[i] -= 1;
    check("implicit, two dimensions", data[5][1] + data[1][0], 13.0 + 5.0);

    Vec *part = v;
#pragma omp target data map(to: part[first():3])
    {
#pragma omp target
        for (int k = 1; k < 4; ++k)
            for (int i = 0; i < part[k].n; ++i)
                part[k].p[i] = 100 * k;
        check("not yet", data[2][0] < 100 || !copies, true); // rex-ignore: stale: nothing is copied back yet
#pragma omp target update from(part[2:2])
        check("updated", data[2][1] + data[3][2], 500.0);
        check("not updated", data[1][0] < 100 || !copies, true); // rex-ignore: stale: nor is this element
    }
    check("once", calls <= 1, true);

    Pair pairs[2] = {{{Vec{2, data[0]}, Vec{3, data[1]}}, 7}, {{Vec{1, data[2]}, Vec{5, data[3]}}, 8}};
#pragma omp target map(pairs[0:2])
    for (auto &pair : pairs)
        for (auto &end : pair.ends)
            for (int i = 0; i < end.n; ++i)
                end.p[i] = pair.tag;
    check("mapper in a mapper", data[0][1] + data[1][2] + data[2][0] + data[3][4], 30.0);
    return report();
}
