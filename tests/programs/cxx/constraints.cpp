// C++20 in device code: requires clauses in front of functions with and without regions, concepts, defaulted comparisons.
// cflags: -std=c++20
// reference: -O1
#include <bit>
#include <compare>
#include <concepts>
#include <cstdio>
#include <numbers>
#include <span>
#include <vector>

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

struct Version {
    int a, b;
    auto operator<=>(const Version &) const = default;
};

consteval int square(int x) { return x * x; }

template <Number T>
T sum(std::span<const T> s)
{
    T t{};
    const T *p = s.data();
    auto n = s.size();
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: t)
    for (std::size_t i = 0; i < n; ++i)
        t += p[i] * square(3);
    return t;
}

template <class T>
    requires std::floating_point<T> && (sizeof(T) > 2)
T area(T r)
{
    return std::numbers::pi_v<T> * r * r;
}

template <class T>
struct Scaled {
    T f;
    void apply(T *x, int n) requires Number<T>
    {
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
        for (int i = 0; i < n; ++i)
            x[i] *= f;
    }
};

template <class T> requires (Number<T> && !std::same_as<T, bool>)
int positive(const T *x, int n)
{
    int count = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: count)
    for (int i = 0; i < n; ++i)
        count += x[i] > 0;
    return count;
}

struct Options {
    int n = 4;
    double f = 1;
};

int main()
{
    std::vector<double> d{1, 2, 3};
    std::vector<int> k{4, -5};
    Options o{.n = 3, .f = 2.5};
    Version versions[3] = {{1, 2}, {1, 3}, {0, 9}};
    int less = 0;
    double a = 0;
    unsigned bits = 0;
#pragma omp target teams distribute parallel for map(to: versions, o) reduction(+: less, a, bits)
    for (int i = 0; i < 3; ++i) {
        if (versions[i] < Version{.a = 1, .b = 3})
            ++less;
        auto f = []<class T>(T x) { return area(x); };
        a += f(o.f * i);
        bits += std::popcount(unsigned(i * 77));
    }
    Scaled<double>{2}.apply(d.data(), 3);
    std::printf("%g %d %d %.6f %u ", sum<double>(d), sum<int>(k), less, a, bits);
    std::printf("%d %d\n", positive(d.data(), 3), positive(k.data(), 2));
}
