// cflags: -std=c++20
// Closures as arguments of templates that demand something of them.
#include "check.hpp"
#include <concepts>
#include <type_traits>

template <std::invocable<int> F> void forall(int n, int *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom : p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = f(i);
}

template <class F, std::enable_if_t<std::is_invocable_v<F, int>, int> = 0> int sum(int n, F f)
{
    int total = 0;
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < n; ++i)
        total += f(i);
    return total;
}

template <class F>
    requires std::is_invocable_r_v<int, F, int>
struct Each {
    F f;
    int last(int n)
    {
        F own = f;
        int found = -1;
#pragma omp target map(tofrom : found)
        found = own(n);
        return found;
    }
};

int main()
{
    int a[4], by = 3;
    forall(4, a, [](int i) { return i * i; });
    check("a closure", a[3], 9);
    forall(4, a, [by](int i) { return i * by; });
    check("another closure", a[3], 9);
    check("a sum", sum(5, [by](int i) { return i + by; }), 25);
    Each each{[by](int i) { return i - by; }};
    check("a class with a closure", each.last(10), 7);
    return report();
}
