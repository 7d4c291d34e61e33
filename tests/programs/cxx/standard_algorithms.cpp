// Functions of the standard library that are constexpr from C++20 on only, in regions and in functions that they call.
#include "check.hpp"
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

static void order(int &a, int &b)
{
    if (b < a)
        std::swap(a, b);
}

template <class T>
static T middle(T *v, int n)
{
    std::sort(v, v + n);
    return v[n / 2];
}

static void note(std::tuple<int, double> &t, int i)
{
    t = std::make_tuple(i, i * 0.5);
}

int main()
{
    int v[40], w[40];
    double m[8];
    for (int i = 0; i < 40; ++i)
        v[i] = (i * 17) % 41;
    std::copy(v, v + 40, w);
    std::tuple<int, double> t;
    std::array<int, 4> a{};
    int sum = 0, best = 0, place = 0;
#pragma omp target teams distribute parallel for map(tofrom: v) map(from: m)
    for (int i = 0; i < 8; ++i) {
        double part[5];
        std::copy(v + 5 * i, v + 5 * i + 5, part);
        m[i] = middle(part, 5);
        order(v[5 * i], v[5 * i + 4]);
    }
#pragma omp target map(tofrom: t, a, sum, best, place) map(to: v)
    {
        note(t, 7);
        a.fill(3);
        std::optional<int> found;
        found = 4;
        a[1] += *found;
        found.reset();
        a[2] += found ? 100 : std::exchange(a[3], 9);
        sum = std::accumulate(v, v + 40, 0) + std::inner_product(v, v + 3, v, 0);
        best = *std::max_element(v, v + 40);
        place = static_cast<int>(std::find(v, v + 40, best) - v);
        std::array<int, 4> b{{4, 3, 2, 1}};
        std::reverse(b.begin(), b.end());
        std::swap(a[0], b[3]);
    }
    for (int i = 0; i < 8; ++i) {
        order(w[5 * i], w[5 * i + 4]);
        double part[5];
        std::copy(w + 5 * i, w + 5 * i + 5, part);
        check("middle", m[i], middle(part, 5));
    }
    check("ordered", std::equal(v, v + 40, w), true);
    check("tuple", t, std::make_tuple(7, 3.5));
    check("array", a, (std::array<int, 4>{{4, 7, 6, 9}}));
    check("sum", sum, std::accumulate(w, w + 40, 0) + std::inner_product(w, w + 3, w, 0));
    check("best", best, 40);
    check("place", place, static_cast<int>(std::find(w, w + 40, 40) - w));
    return report();
}
