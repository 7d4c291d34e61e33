// Regions in templates with values, defaults, specialisations and templates as arguments.
#include "check.hpp"

template <class T, int N = 4, bool Twice = false>
struct Block {
    T v[N];
    void fill(T x)
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i)
            v[i] = Twice ? x + x : x;
    }
};

template <class T>
struct Traits {
    static T one() { return T(1); }
};
template <>
struct Traits<double> {
    static double one() { return 1.5; }
};
template <class T>
T ones(int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += Traits<T>::one();
    return s;
}

template <template <class> class W, class T>
T wrapped(T x)
{
    T r = 0;
#pragma omp target map(from: r)
    r = x + W<T>::one();
    return r;
}

template <>
int ones<int>(int n)
{
    int s = 0;
#pragma omp target map(tofrom: s)
    s = n * 10;
    return s;
}

int main()
{
    Block<int> a{};
    Block<double, 8, true> b{};
    a.fill(3);
    b.fill(2.5);
    check("a", a.v[3], 3);
    check("b", b.v[7], 5.0);
    check("double", ones<double>(10), 15.0);
    check("long", ones<long>(10), 10L);
    check("specialised", ones<int>(10), 100);
    check("template template", wrapped<Traits>(2.0), 3.5);
    return report();
}
