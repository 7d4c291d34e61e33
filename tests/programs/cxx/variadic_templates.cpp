// Variadic templates in functions that regions call: recursion, sizes, and perfect forwarding.
#include "check.hpp"
#include <utility>

template <class T>
T most(T a)
{
    return a;
}
template <class T, class... Rest>
T most(T a, Rest... rest)
{
    const T other = most(rest...);
    return a > other ? a : other;
}

template <class... T>
constexpr int count(const T &...)
{
    return sizeof...(T);
}

struct Sum {
    template <class... T>
    double operator()(T &&...values) const
    {
        return add(std::forward<T>(values)...);
    }

private:
    static double add() { return 0; }
    template <class First, class... Rest>
    static double add(First first, Rest... rest)
    {
        return first + add(rest...);
    }
};

template <int... I>
struct Sequence {};

template <int... I>
int dot(const int *a, const int *b, Sequence<I...>)
{
    int s = 0;
    const int products[] = {a[I] * b[I]...};
    for (int p : products)
        s += p;
    return s;
}

int main()
{
    int a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
    int out[4];
    double sum = 0;
#pragma omp target map(to: a, b) map(from: out) map(tofrom: sum)
    {
        out[0] = most(3, 9, 4);
        out[1] = count(1, 2.5, 'c');
        out[2] = dot(a, b, Sequence<0, 1, 2>());
        out[3] = dot(a, b, Sequence<1>());
        sum = Sum()(1, 2.5, 3.0f);
    }
    check("most", out[0], 9);
    check("count", out[1], 3);
    check("dot", out[2], 32);
    check("one", out[3], 10);
    check("sum", sum, 6.5);
    return report();
}
