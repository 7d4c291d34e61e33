// constexpr tables of namespaces and functions that device code reads with variable indices.
#include "check.hpp"
#include <array>

namespace {
constexpr int fib[] = {1, 1, 2, 3, 5, 8, 13, 21};
constexpr double coeff[2][3] = {{1, 2, 3}, {4, 5, 6}};
constexpr std::array<unsigned, 4> shifts{{1, 3, 5, 7}};
} // namespace

constexpr auto make_table()
{
    std::array<int, 16> t{};
    for (int i = 0; i < 16; i++)
        t[i] = i * i + 1;
    return t;
}
static constexpr auto squares = make_table();

constexpr int cx[] = {0, 1, 0, -1, 0, 1, -1, -1, 1};

struct Lattice
{
    static constexpr int q = 9;
    static int sum(int d)
    {
        int s = 0;
        for (int i = 0; i < q; i++)
            s += cx[i] * (i + d);
        return s;
    }
};

int main()
{
    double out[24];
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < 24; i++) {
        static constexpr int local[] = {3, 1, 4};
        out[i] = fib[i % 8] + coeff[i % 2][i % 3] + shifts[i % 4] + squares[i % 16] + Lattice::sum(i) +
                 local[i % 3];
    }
    const int local[] = {3, 1, 4};
    for (int i = 0; i < 24; i++)
        check("out", out[i],
              fib[i % 8] + coeff[i % 2][i % 3] + shifts[i % 4] + squares[i % 16] + Lattice::sum(i) +
                  local[i % 3]);
    return report();
}
