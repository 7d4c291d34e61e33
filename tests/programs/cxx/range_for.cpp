// Range-based loops over arrays inside of regions.
#include "check.hpp"
#include <array>

int main()
{
    int rows[6][4];
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 4; ++j)
            rows[i][j] = i * j;
    int sums[6];
    const double steps[3] = {0.5, 0.25, 0.25};
    std::array<int, 3> extra{{1, 2, 3}};
#pragma omp target teams distribute parallel for map(to: rows) map(from: sums)
    for (int i = 0; i < 6; ++i) {
        int s = 0;
        for (int value : rows[i])
            s += value;
        double d = 0;
        for (const double &step : steps)
            d += step;
        for (auto e : extra)
            s += e;
        for (int k : {1, 2})
            s += k;
        sums[i] = s + int(d);
    }
    check("sum of a row", sums[5], 30 + 1 + 6 + 3);
#pragma omp target map(tofrom: rows)
    for (auto &row : rows)
        for (auto &value : row)
            value += 1;
    check("changed", rows[5][3], 16);
    return report();
}
