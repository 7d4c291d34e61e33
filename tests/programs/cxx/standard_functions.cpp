// Functions of the standard library in regions.
// cflags: -std=c++20
#include "check.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

int main()
{
    double d[6];
    int i[6];
    std::uint64_t big = 0;
#pragma omp target map(from: d, i) map(tofrom: big)
    {
        d[0] = std::sqrt(16.0) + std::pow(2.0, 3.0);
        d[1] = std::fabs(-2.5) + std::abs(-1.5);
        d[2] = std::max(1.0, 2.0) + std::min(3.0, 4.0);
        d[3] = std::numeric_limits<double>::max() > 1 ? 1 : 0;
        d[4] = std::floor(2.7) + std::ceil(2.1) + std::fma(2.0, 3.0, 1.0);
        d[5] = std::exp(0.0) + std::hypot(3.0, 4.0);
        i[0] = std::abs(-4);
        i[1] = std::max<int>(3, 4L);
        int x = 1, y = 2;
        std::swap(x, y);
        i[2] = x * 10 + y;
        i[3] = std::numeric_limits<int>::max();
        i[4] = std::isnan(d[0]) ? 1 : 0;
        auto moved = std::move(x);
        i[5] = moved;
        big = std::numeric_limits<std::uint64_t>::max();
    }
    check("0", d[0], 12.0);
    check("1", d[1], 4.0);
    check("2", d[2], 5.0);
    check("3", d[3], 1.0);
    check("4", d[4], 12.0);
    check("5", d[5], 6.0);
    check("abs", i[0], 4);
    check("max", i[1], 4);
    check("swap", i[2], 21);
    check("limits", i[3], 2147483647);
    check("isnan", i[4], 0);
    check("move", i[5], 2);
    check("big", big, ~std::uint64_t(0));
    return report();
}
