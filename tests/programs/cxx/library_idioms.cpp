// What headers of libraries have for gcc: lists of numbers, conditions without names, constants of specialisations.
#include "check.hpp"
#include <type_traits>

template <class T, T... numbers> struct Numbers {
    static constexpr int count = sizeof...(numbers);
    static constexpr T sum() { return (numbers + ... + T(0)); }
};
template <class T, T n> using UpTo = Numbers<T, __integer_pack(n)...>;
template <class T, class N> struct Made;
template <class T, int n> struct Made<T, Numbers<int, n>> {
    using type = Numbers< T ,
      __integer_pack( T((n)) ) ... >;
};

template <int... at> double each(double *p, Numbers<int, at...>)
{
    double s = 0;
#pragma omp target map(tofrom: p[0:sizeof...(at)], s)
    s = ((p[at] = at * 2.0) + ...);
    return s;
}

template <class T, int n, typename std::enable_if<(n > 0)>::type * = nullptr> T on_host(const T *p)
{
    T all{};
#pragma omp declare reduction(combine : T : omp_out = omp_out + omp_in) initializer(omp_priv = T{})
#pragma omp parallel for reduction(combine : all)
    for (int i = 0; i < n; ++i)
        all = all + p[i];
    return all;
}

template <class T, int n, typename std::enable_if<(n > 2)>::type * = nullptr> T on_device(const T *p)
{
    T all{};
#pragma omp target teams distribute parallel for reduction(+ : all) map(to : p[0:n])
    for (int i = 0; i < n; ++i)
        all = all + p[i];
    return all;
}

template <class T, int n, typename std::enable_if<(n <= 2)>::type * = nullptr> T on_device(const T *p)
{
    T first{};
#pragma omp target map(to : p[0:n]) map(tofrom : first)
    first = p[0];
    return first;
}

template <class I, I at, I size> struct At {};
template <class T> struct Index;
template <class I, I at, I size> struct Index<At<I, at, size>> {
    using index_type = I;
    static const index_type s_at = at;
    static const std::remove_cv_t<I> s_size = size + 1;
    constexpr int sum() const { return s_at + s_size; }
};

int main()
{
    double a[5], p[3] = {1, 2, 3};
    int n = 0, at = 0;
#pragma omp target map(tofrom : n)
    n = UpTo<int, 6>::sum() + Made<long, Numbers<int, 3>>::type::count;
    check("lists", n, 18);
    check("each", each(a, UpTo<int, 5>()), 20);
    check("elements", a[4], 8);
    check("reduction", on_host<double, 3>(p), 6);
    check("conditions", on_device<double, 3>(p) * 10 + on_device<double, 2>(p), 61);
#pragma omp target map(tofrom : at)
    {
        Index<At<int, 3, 4>> x;
        at = x.sum();
    }
    check("constants", at, 8);
    return report();
}
