// What device code takes from the standard library: <cmath>, <algorithm>, <limits>, <utility>, <array>, <complex>, <cstdint>.
// cflags: -std=c++20
#include "check.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <utility>

int main()
{
    std::array<double, 4> values = {4, 3, 2, 1};
    std::pair<int, double> pair(2, 0.5);
    std::complex<double> z(1, 2);
    double results[6] = {};
    std::int64_t big = 0;
#pragma omp target map(tofrom: results, big)
    {
        std::array<double, 4> own = values;
        std::swap(own[0], own[3]);
        results[0] = own[0] + own.size();
        results[1] = pair.first * pair.second;
        std::complex<double> w = (z * z - 1.0) / (z + z) + 0.5 * std::conj(z);
        results[2] = std::norm(w * 2.0 - w) + w.imag();
        results[3] = std::max({1.0, 5.0, 3.0}) + std::clamp(9, 0, 4);
        results[4] = std::sqrt(16.0) + std::floor(2.7) + std::abs(-3.5) + std::fmin(1.0, 2.0);
        results[5] = std::numeric_limits<float>::max() > 1e30f ? 1 : 0;
        big = std::numeric_limits<std::int64_t>::max() / 2;
        for (double value : own)
            results[5] += value;
    }
    check("std::array", results[0], 5.0);
    check("std::pair", results[1], 1.0);
    check("std::complex", std::round(results[2] * 1e9) / 1e9, 1.05);
    check("initializer lists and clamp", results[3], 9.0);
    check("<cmath>", results[4], 10.5);
    check("numeric_limits and range-for", results[5], 11.0);
    check("<cstdint>", big, std::numeric_limits<std::int64_t>::max() / 2);
    return report();
}
