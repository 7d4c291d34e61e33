// Kernels are made only of what is instantiated: not of discarded branches, nor of templates that nothing uses.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"
#include <algorithm>
#include <type_traits>
#include <vector>

template <class T> T half(T v)
{
    T r{};
    if constexpr (std::is_floating_point_v<T>) {
#pragma omp target map(from: r)
        r = v * T(0.5);
    } else {
#pragma omp target map(from: r)
        r = v % 7;
    }
    return r;
}

// In a header of its own, it might be used by others.
template <class V> double never_used(const V &v)
{
    const auto n = v.size();
    auto *p = v.data();
    double s = 0;
#pragma omp target enter data map(to: p[0:n])
    if (n > 0)
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: p[0:n])
        for (decltype(v.size()) i = 0; i < n; ++i)
            s += p[i] + v.nothing_has_this();
    else
        s = -1;
    return s;
}

template <class T> struct Outer {
    template <class U> struct Inner;
    struct Nested {
        void run(T *p)
        {
#pragma omp target map(tofrom: p[0:1])
            ++p[0];
        }
    };
};

template <class F, bool On_device> void each(int n, int *p, F f)
{
    if constexpr (On_device) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = f(i);
    } else {
        for (int i = 0; i < n; ++i)
            p[i] = f(i) + 1;
    }
}

template <class F> void on_device(int n, int *p, F f) { each<F, true>(n, p, f); }
template <class F> void on_host(int n, int *p, F f) { each<F, false>(n, p, f); }

template <class T> struct Adder {
    T *sum;
    void operator()(T v) const
    {
        T *p = sum;
#pragma omp target map(tofrom: p[0:1])
        p[0] += v;
    }
    void never_called(T v)  // and does not compile for a number
    {
        auto found = v.nothing_has_this();
#pragma omp target map(tofrom: found)
        found.add(v);
    }
};

int main()
{
    check("half of a double", half(3.0), 1.5);
    check("half of an int", half(16), 2);
    int a[4];
    on_device(4, a, [](int i) { return i * i; });
    check("on the device", a[3], 9);
    on_host(4, a, [](int i) { return i * i; });
    check("on the host", a[3], 10);
    int numbers[] = {1, 2, 3}, sum = 0;
    std::for_each(numbers, numbers + 3, Adder<int>{&sum});
    check("instantiated by the library", sum, 6);
    return report();
}
