// _Float16 in regions: elements, members, template arguments, captures, aliases, conversions, reductions and atomics.
#include "check.hpp"
#include <cmath>

using half = _Float16;
struct alignas(4) Pair
{
    half x, y;
};

inline half blend(half a, half b)
{
    const half quarter = static_cast<half>(0.25f);
    return a * quarter + b;
}

template <class T>
constexpr int bytes_of(T)
{
    return sizeof(T);
}

template <class T>
void scale(const T *in, T *out, int n, T factor)
{
#pragma omp target teams distribute parallel for map(to : in[0:n]) map(from : out[0:n])
    for (int i = 0; i < n; ++i) {
        T v = in[i] * factor;
        v += T(1);
        if (v > T(8)) v = -v;
        out[i] = v;
    }
}

int main()
{
    const int n = 16;
    half in[n], out[n];
    float single[n], of_singles[n];
    Pair pairs[n];
    for (int i = 0; i < n; ++i) in[i] = half(i) / half(2), single[i] = i / 2.0f, pairs[i] = {half(i), half(0.5f)};
    scale<half>(in, out, n, half(3));
    scale(single, of_singles, n, 3.0f);
    for (int i = 0; i < n; ++i) check("scaled", float(out[i]), of_singles[i]);
    Pair *p = pairs;
    float total = 0, blends = 0;
    half most = 0, all = 0;
    const half step = static_cast<half>(0.25f);
#pragma omp target teams distribute parallel for map(tofrom : p[0:n], all) reduction(+ : total, blends) reduction(max : most)
    for (int i = 0; i < n; ++i) {
        auto v = p[i];
        const float wide = float(v.x + v.y) * 2.0f;
        p[i] = {half(wide), half(std::sqrt(4.0f))};
        blends += float(blend(v.x, v.y));
        const half own = p[i].x - step;
        total += own;
        most = most < own ? own : most;
#pragma omp atomic
        all += step;
    }
    half one = 1, many = 2048;
    float sums[4] = {};
    int bytes = 0;
#pragma omp target map(from : sums, bytes)
    {
        half *at = &one;
        auto sum = many + *at; // rounded to what a half can be
        const auto turned = -*at;
        const auto with_numbers = 3 * (sum - 1) / 2;
        sums[0] = float(sum), sums[1] = float(turned), sums[2] = float(with_numbers), sums[3] = float(many) + *at;
        bytes = bytes_of(one + one) + 10 * bytes_of(one * 2) + 100 * bytes_of(-one) + 1000 * bytes_of(one - 1.0f);
    }
    check("sum", sums[0], 2048.0f);
    check("turned", sums[1], -1.0f);
    check("with_numbers", sums[2], 3070.0f);
    check("wide", sums[3], 2049.0f);
    check("bytes", bytes, 4222);
    check("pairs", float(pairs[5].x) + float(pairs[5].y), 13.0f);
    check("blends", blends, 38.0f);
    check("total", total, 252.0f);
    check("most", float(most), 30.75f);
    check("all", float(all), 4.0f);
    return report();
}
