// Lambda expressions in templates: every instantiation has a closure of its own. Generic, mutable and nested ones.
// reference: -O1
#include "check.hpp"
#include <vector>

template <class F> void for_each(int n, F &&f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; ++i)
        f(i);
}

template <class T, class F> T reduce(int n, F f)
{
    T sum{};
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += f(i);
    return sum;
}

namespace blas {
template <class T> void axpy(int n, T a, const T *x, T *y)
{
    for_each(n, [=](int i) { y[i] += a * x[i]; });
}

template <class T> T dot(int n, const T *x, const T *y)
{
    return reduce<T>(n, [&](int i) { return x[i] * y[i]; });
}

template <class T, int N> void stencil(T *x, const T (&weights)[N], int n)
{
    for_each(n, [=](auto i) {
        using R = decltype(x[i] * weights[0]);
        R sum{};
        for (int k = 0; k < N; ++k)
            sum += weights[k] * static_cast<R>(k);
        x[i] += sum;
    });
}
} // namespace blas

// The region is where the closure is made.
template <class T> std::vector<T> squares(int n)
{
    std::vector<T> out(n);
    T *p = out.data();
    const T one = 1;
    auto square = [one](T v) { return v * v + one; };
#pragma omp target teams distribute parallel for map(from: p[0:n])
    for (int i = 0; i < n; ++i)
        p[i] = square(static_cast<T>(i));
    return out;
}

template <class F, class G> void composed(int n, double *x, F f, G g)
{
    for_each(n, [x, f, g](int i) { x[i] = f(g(x[i])); });
}

template <class T> struct Twice {
    T by;
    template <class V> V operator()(V v) const { return by * v; }
};

template <class T> void run(const char *what)
{
    const int n = 32;
    std::vector<T> a(n, T(2)), b(n, T(3));
    T *x = a.data(), *y = b.data();
    const T weights[] = {1, 2, 4};
    T found{};
#pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n])
    {
        blas::axpy(n, T(5), x, y);
        found = blas::dot(n, x, y);
        blas::stencil(y, weights, n);
    }
    check("a closure of references", found, T(2 * 13 * n));
    check(what, y[n - 1], T(13 + 2 + 8));
    check("a region in the template", squares<T>(6)[5], T(26));
}

int main()
{
    run<double>("double");
    run<float>("float");
    run<int>("int");
    double d[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    double *x = d;
#pragma omp target data map(tofrom: x[0:8])
    {
        auto twice = Twice<int>{2};
        composed(8, x, twice, [](double v) { return v + 1; });
    }
    check("a closure of a template in a closure", d[7], 18.0);
    int calls = 5, r[4];
    auto next = [calls](int i) mutable { return calls += i; };
#pragma omp target map(from: r)
    for (int i = 0; i < 4; ++i)
        r[i] = next(i);
    check("a mutable closure", r[3], 11);
    check("is mapped", next(0), 11);
    return report();
}
