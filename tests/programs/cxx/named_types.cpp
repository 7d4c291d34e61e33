// Types that the unit names by expressions, and names of functions in namespaces.
// cflags: -std=c++20
#include "check.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace omp {
extern "C" int omp_get_num_threads();
}

namespace maths {
float next(float x) { return x + 1; }
double next(double x) { return x + 2; }
template <class T> T triple(T x) { return x * 3; }
}

template <class T, T (*F)(T)> struct Applied {
    T *p;
    int n;
    void run()
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = F(p[i]);
    }
};
template <class R, class A> struct Called {
    template <R (*F)(A)> static R call(A a)
    {
        R r{};
#pragma omp target map(from: r)
        r = F(a);
        return r;
    }
};

template <class C> auto total(const C &c)
{
    auto p = c.data();
    auto n = c.size();
    std::remove_const_t<std::remove_reference_t<decltype(*p)>> s{};
    decltype(n) last = n - 1;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: p[0:n])
    for (std::size_t i = 0; i <= last; ++i)
        s += p[i];
    return s;
}

template <class T> struct Limits {
    struct Inner {
        static constexpr T high = T(100);
        static constexpr T steps[2] = {T(4), T(5)};
    };
    static const T eps;
};
template <class T> const T Limits<T>::eps = T(1) / T(8);
template <class T> T limited(int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += Limits<T>::Inner::high + Limits<T>::Inner::steps[i & 1] + Limits<T>::eps;
    return s;
}

static auto logger = [](const std::string &s) { return std::printf("%s", s.c_str()); };
using Logger = decltype(logger);
struct Logged {
    int to = sizeof(Logger);
    std::vector<int> all = std::vector<int>(4, 1);  // nvcc compiles what C++20 makes constexpr
    int n;
};

template <int *P> int ends()
{
    int r = 0;
#pragma omp target map(from: r)
    r = P[0] + P[3];
    return r;
}
int table[4] = {5, 6, 7, 8};
#pragma omp declare target(table)

int main()
{
    float a[2] = {1, 2};
    double b[2] = {1, 2};
    Applied<float, maths::next>{a, 2}.run();
    Applied<double, maths::next>{b, 2}.run();
    Applied<double, maths::triple<double>>{b, 2}.run();
    check("overload", a[1], 3);
    check("function of a template", b[1], 12);
    const double called = Called<double, double>::call<maths::triple<double>>(2);
    check("argument", called, 6);
    check("double", total(std::vector<double>{1, 2, 3}), 6);
    check("char", total(std::string("\1\2")), 3);
    check("static members", limited<double>(2), 209.25);
    check("static members", limited<float>(1), 104.125f);
    check("address", ends<table>(), 13);
    Logged l{1, {1}, 2};
    int m = 0;
#pragma omp target map(tofrom: m)
    m = omp::omp_get_num_threads() + int(sizeof(Logged) == sizeof(l));
    check("namespace", m, 2);
    return report();
}
