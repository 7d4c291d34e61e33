// Templates with several lists of parameters around regions: of functions, of classes and functions, and closures in them.
#include "check.hpp"
#include <tuple>
#include <utility>

template <std::size_t... I, class... T> double dot(std::index_sequence<I...>, T... t)
{
    double r = 0;
#pragma omp target map(tofrom: r)
    r = ((double(I) * t) + ... + 0);
    return r;
}
template <class F, class... T, std::size_t... I>
double apply(F f, const std::tuple<T...> &t, std::index_sequence<I...>, int n)
{
    double r = 0;
    auto values = std::make_tuple(std::get<I>(t)...);
#pragma omp target teams distribute parallel for reduction(+ : r) firstprivate(values)
    for (int i = 0; i < n; ++i)
        r += f(i, std::get<I>(values)...);
    return r;
}
template <class F, class... T> double of(F f, int n, T... t)
{
    return apply(f, std::make_tuple(t...), std::index_sequence_for<T...>{}, n);
}
template <std::size_t... I, class... F> int compose(std::index_sequence<I...>, int x, F... f)
{
    std::tuple<F...> all(f...);
#pragma omp target map(tofrom: x) firstprivate(all)
    ((x = std::get<I>(all)(x)), ...);
    return x;
}
template <class... T, class U> auto last(U u, T...)
{
    auto x = u;
#pragma omp target map(tofrom: x)
    x += sizeof...(T);
    return x;
}

struct Bank {
    int base;
    template <int... N, class... U> int total(std::integer_sequence<int, N...>, U... u) const
    {
        int r = 0, b = base;
#pragma omp target map(tofrom: r)
        r = b + ((N * u) + ...);
        return r;
    }
    template <auto... V, class T> static T sum(T first)
    {
#pragma omp target map(tofrom: first)
        first += (V + ... + 0);
        return first;
    }
};

template <int... D> struct Shape {
    template <class F, class... X> static void each(F f, int *out, X... x)
    {
#pragma omp target map(from: out[0:sizeof...(D)])
        {
            int k = 0;
            ((out[k] = f(D, x...), ++k), ...);
        }
    }
};

template <class F> void fill(int n, double *p, F f)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = f(i);
}
template <std::size_t... I, class... T> void closures(std::index_sequence<I...>, double *p, int n, T... t)
{
    const double w[] = {double(t)...};
    double a = w[sizeof...(I) - 1];
    fill(n, p, [a](int i) { return a * i + int(sizeof...(T)); });
}

int main()
{
    const double w = 0.5;
    check("values and types", dot(std::index_sequence<0, 1, 2>{}, 1, 2.5, 3), 8.5);
    check("closure in front", of([w](int i, int a, double b) { return w * i + a * b; }, 4, 2, 1.5), 15.0);
    check("empty lists", of([](int i) { return i; }, 4), 6.0);
    const int three = 3;
    auto plus = [three](int x) { return x + three; };
    check("closures", compose(std::index_sequence<0, 1>{}, 5, plus, [](int x) { return 2 * x; }), 16);
    check("behind a list", last<int, char>(2.5, 1, 'a'), 4.5);
    check("method", Bank{10}.total(std::integer_sequence<int, 1, 2, 3>{}, 1, 2, 3), 24);
    check("values of any type", Bank::sum<1, 2, 3L>(0.5), 6.5);
    int out[3];
    Shape<2, 3, 4>::each([](int n, int a, int b) { return n * a + b; }, out, 10, 1);
    check("values of the class", out[2], 41);
    double p[4];
    closures(std::index_sequence<0, 1>{}, p, 4, 2, 3.5);
    check("closure of such a template", p[3], 12.5);
    return report();
}
