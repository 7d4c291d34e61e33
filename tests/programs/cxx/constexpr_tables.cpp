// Tables and functions that the compiler computes, in regions.
#include "check.hpp"
#include <array>

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

template <int N>
struct Squares {
    int values[N];
    constexpr Squares() : values()
    {
        for (int i = 0; i < N; ++i)
            values[i] = i * i;
    }
    constexpr int operator[](int i) const { return values[i]; }
};

constexpr Squares<8> squares;
constexpr double weights[] = {0.5, 0.25, 0.125};
constexpr std::array<int, 4> primes{{2, 3, 5, 7}};
static const int sizes[2] = {10, 20};

int main()
{
    constexpr int n = power(2, 3);
    constexpr int local[3] = {7, 8, 9};
    int a[n];
    double b[n];
#pragma omp target teams distribute parallel for map(from: a, b)
    for (int i = 0; i < n; ++i) {
        constexpr int shift = power(3, 2);
        a[i] = squares[i] + shift + primes[i % 4] + sizes[i % 2] + local[i % 3];
        b[i] = weights[i % 3];
    }
    check("tables", a[7], 49 + 9 + 7 + 20 + 8);
    check("weights", b[5], 0.125);
    return report();
}
