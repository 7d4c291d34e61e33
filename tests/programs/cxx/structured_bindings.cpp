// Structured bindings inside of regions, and names of bindings from outside.
#include "check.hpp"
#include <array>
#include <utility>

struct Point {
    double x, y;
};

static std::pair<int, int> split(int i) { return {i / 3, i % 3}; }

int main()
{
    Point points[9];
#pragma omp target teams distribute parallel for map(from: points)
    for (int i = 0; i < 9; ++i) {
        auto [row, column] = split(i);
        auto &[x, y] = points[i];
        x = row;
        y = column;
    }
    check("pair", points[7].x, 2.0);
    check("members", points[7].y, 1.0);
    double norms = 0;
#pragma omp target teams distribute parallel for map(to: points) reduction(+: norms)
    for (int i = 0; i < 9; ++i) {
        const auto [a, b] = points[i];
        norms += a * a + b * b;
    }
    check("copies", norms, 30.0);
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < 4; ++i) {
        int values[2] = {i, 2 * i};
        auto [one, two] = values;
        sum += one + two;
    }
    check("arrays", sum, 18);
    return report();
}
