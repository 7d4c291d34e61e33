// Structured bindings and references to parts as captures of regions.
#include "check.hpp"
#include <tuple>
#include <utility>

struct Grid
{
    int nx, ny;
    double *cells;
};

int main()
{
    double store[12] = {};
    Grid g{4, 3, store};
    auto &[nx, ny, cells] = g;
    const int w = nx, h = ny;
    double *c = cells;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : c[0 : w * h])
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            c[j * w + i] = j * 10 + i;
    check("cells", store[11], 23.0);
    std::pair<int, int> range(2, 5);
    auto [lo, hi] = range;
    int s = 0;
    const int first = lo, last = hi;
#pragma omp target map(tofrom : s)
    for (int i = first; i < last; i++)
        s += i;
    check("bindings", s, 9);
    return report();
}
