// Structured bindings inside of regions, of arrays, structures, pairs and tuples.
#include "check.hpp"
#include <array>
#include <tuple>
#include <utility>

struct P
{
    int x;
    double y;
};
static P make(int i) { return {i, i * 0.5}; }

int main()
{
    double out[40];
    std::pair<int, float> pr{3, 1.5f};
    std::tuple<int, double, char> tp{1, 2.0, 'a'};
    std::array<int, 3> ar{{5, 6, 7}};
#pragma omp target teams distribute parallel for map(from : out)
    for (int i = 0; i < 40; i++) {
        auto [x, y] = make(i);
        const auto &[a, b] = pr;
        auto [t0, t1, t2] = tp;
        int raw[2] = {i, 2 * i};
        auto &[r0, r1] = raw;
        r0 += 1;
        auto [p, q, r] = ar;
        out[i] = x + y + a + b + t0 + t1 + t2 + raw[0] + r1 + p + q + r;
    }
    for (int i = 0; i < 40; i++)
        check("out", out[i], i + i * 0.5 + 4.5 + 3 + 'a' + i + 1 + 2 * i + 18);
    auto [n, step] = std::make_pair(10, 3);
    int s = 0;
    const int nn = n, st = step;
#pragma omp target map(tofrom : s)
    for (int i = 0; i < nn; i++)
        s += st;
    check("s", s, 30);
    return report();
}
