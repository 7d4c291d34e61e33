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

static constexpr int table[4] = {1, 2, 3, 4};
template <const int *P>
int sum_of(int n)
{
    int s = 0;
#pragma omp target map(tofrom: s)
    for (int i = 0; i < n; ++i)
        s += P[i];
    return s;
}

int difference(int a, int b) { return a - b; }
template <class R, class... A>
struct Called {
    template <R (*F)(A...)>
    static R run(A... a)
    {
        R r{};
#pragma omp target map(tofrom: r)
        r = F(a...);
        return r;
    }
};

template <class... T> struct Box {
    double v;
};
template <template <class...> class C, class T>
double first(C<T> c)
{
    double r = 0;
#pragma omp target map(tofrom: r) map(to: c)
    r = c.v;
    return r;
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
    check("the address of an array", sum_of<table>(4), 10);
    check("a function of listed types", Called<int, int, int>::run<difference>(8, 5), 3);
    check("a template of a list", first(Box<int>{2.5}), 2.5);
    check("template template", wrapped<Traits>(2.0), 3.5);
    return report();
}
