// Constants of functions, classes and namespaces in regions.
#include "check.hpp"

constexpr double weights[4] = {0.5, 1.5, 2.5, 3.5};
const int sizes[] = {3, 1, 2};
namespace units {
constexpr long kilo = 1000;
enum { dozen = 12 };
constexpr int square(int x) { return x * x; }
}
template <int N>
struct Power {
    static constexpr int value = 2 * Power<N - 1>::value;
};
template <>
struct Power<0> {
    static constexpr int value = 1;
};

static double use(int i)
{
    static const int primes[] = {2, 3, 5};
    return weights[i % 4] + sizes[i % 3] + primes[i % 3];
}

int main()
{
    constexpr int local = units::square(4);
    const int n = 12;
    const char text[] = "abc";
    static constexpr int odd[3] = {1, 3, 5};
    double a[n];
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < n; ++i)
        a[i] = use(i) + local + units::kilo + units::dozen + Power<5>::value + text[i % 3] + odd[i % 3];
    const int primes[] = {2, 3, 5};
    for (int i = 0; i < n; ++i)
        check("a", a[i], weights[i % 4] + sizes[i % 3] + primes[i % 3] + 16 + 1000 + 12 + 32 + 'a' + i % 3 + 1 + 2 * (i % 3));
    return report();
}
