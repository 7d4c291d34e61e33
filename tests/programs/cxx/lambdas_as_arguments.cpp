// cflags: -std=c++20
// Values of lambda expressions, and of objects with operators, as arguments of templates with regions.
#include "check.hpp"

constexpr auto twice = [](int x) { return 2 * x; };
struct Add {
    int k;
    constexpr int operator()(int x) const { return x + k; }
    constexpr int less(int x) const { return x - k; }
};

template <auto F> void each(int *p, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = F(p[i]);
}
template <class Op, Op op> int once(int x)
{
#pragma omp target map(tofrom: x)
    x = op.less(op(op(x)));
    return x;
}
template <auto... F> int chain(int x)
{
#pragma omp target map(tofrom: x)
    ((x = F(x)), ...);
    return x;
}
namespace app {
template <class T, auto Op> struct Fold {
    T of(const T *p, int n) const
    {
        T s = p[0];
#pragma omp target map(to: p[0:n]) map(tofrom: s)
        for (int i = 1; i < n; ++i)
            s = Op(s, p[i]);
        return s;
    }
};
struct User {
    int largest(const int *p, int n) const
    {
        return Fold<int, [](auto a, auto b) {
            return a < b ? b : a;
        }>().of(p, n);
    }
};
} // namespace app

// Lambda expressions that are arguments by default.
template <auto F = [](int x) { return 3 * x; }> int by_default(int x)
{
#pragma omp target map(tofrom: x)
    x = F(x);
    return x;
}
template <class F = decltype([](int x) {
              return x * x;
          })>
int of_type(int x, F f = {})
{
#pragma omp target map(tofrom: x)
    x = f(x);
    return x;
}
template <class T, class Less = decltype([](int a, int b) { return a < b; })> struct Largest {
    T of(const T *p, int n) const
    {
        Less less;
        T found = p[0];
#pragma omp target map(to: p[0:n]) map(tofrom: found)
        for (int i = 1; i < n; ++i)
            found = less(found, p[i]) ? p[i] : found;
        return found;
    }
};

template <class T> T sum(const T *p, int n)
{
    app::Fold<T, [](auto a, auto b) { return a + b; }> fold;
    return fold.of(p, n);
}

int main()
{
    int a[4] = {1, 2, 3, 4}, x = 1;
    each<[](int x) { return x + 1; }>(a, 4);
    each<twice>(a, 4);
    check("lambda", a[3], 10);
    check("object", once<Add, Add{5}>(1), 6);
    check("objects", chain<Add{1}, Add{2}>(x), 4);
    check("lambdas", chain<[](int v) { return v * 2; }, [](int v) -> int { return v - 1; }, twice>(x), 2);
    check("class", app::User().largest(a, 4), 10);
    check("defaults", by_default(2) + of_type(3) + of_type(3, Add{1}), 6 + 9 + 4);
    check("a class's default", Largest<int>().of(a, 4), 10);
    const double d[] = {0.5, 1.5, 2};
    check("template", sum(d, 3) + sum(a, 4), 32.0);
    return report();
}
