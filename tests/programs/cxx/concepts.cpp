// Concepts, abbreviated templates and templates of lambda expressions of C++20.
// cflags: -std=c++20
#include "check.hpp"
#include <concepts>

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

template <Number T>
T scaled(T x)
{
    if constexpr (std::integral<T>)
        return x * 2;
    else
        return x / 2;
}

static auto added(Number auto a, Number auto b) { return a + b; }

template <class T>
    requires Number<T>
T total(const T *x, int n)
{
    T sum = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += scaled(x[i]);
    return sum;
}

int main()
{
    int k[4] = {1, 2, 3, 4};
    double d[4] = {1, 2, 3, 4};
    check("int", total(k, 4), 20);
    check("double", total(d, 4), 5.0);
    double r = 0;
#pragma omp target map(tofrom: r)
    {
        auto twice = []<class T>(T x) { return x + x; };
        r = added(1, 2.5) + twice(3);
    }
    check("inside", r, 9.5);
    return report();
}
