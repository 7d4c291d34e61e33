// Regions in classes that are members of class templates, also deeply, and in partial specialisations.
#include "check.hpp"

#include <cstddef>

template <class T> class Matrix {
public:
    struct Row {
        T *p;
        int n;
        T sum() const
        {
            T s{};
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: p[0:n])
            for (int j = 0; j < n; ++j)
                s += p[j];
            return s;
        }
    };
    template <class F> class Mapped {
    public:
        Mapped(T *p, int n, F f) : p(p), n(n), f(f) {}
        template <int Times> void apply();
        T first() const;

    private:
        T *p;
        int n;
        F f;
    };
    Matrix(T *a, int n) : a(a), n(n) {}
    Row row(int i) { return {a + i * n, n}; }
    template <class F> Mapped<F> mapped(F f) { return {a, n * n, f}; }
    T hidden() { return Inner{a[0]}.twice(); }

private:
    struct Inner {
        T v;
        T twice()
        {
            auto r = v;
#pragma omp target map(tofrom: r)
            r = 2 * v;
            return r;
        }
    };
    T *a;
    int n;
};

template <class T> template <class F> template <int Times> void Matrix<T>::Mapped<F>::apply()
{
    F g = f;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int j = 0; j < n; ++j)
        for (int k = 0; k < Times; ++k)
            p[j] = g(p[j]);
}

template <class T> template <class F> T Matrix<T>::Mapped<F>::first() const
{
    T r{};
#pragma omp target map(to: p[0:1]) map(from: r)
    r = p[0];
    return r;
}

struct Triple {
    template <class T> T operator()(T t) const { return 3 * t; }
};

template <class... T> struct Sizes {
    static int all() { return 0; }
};
template <class First, class... Rest> struct Sizes<First, Rest...> {
    static int all()
    {
        int r = Sizes<Rest...>::all();
#pragma omp target map(tofrom: r)
        r += int(sizeof(First)) * 10 + int(sizeof...(Rest));
        return r;
    }
};

template <class T, int N, template <class> class Policy> struct Scaled {
    static T run(T t) { return t; }
};
template <class T> struct Plain {
    static T of(T t) { return t + 1; }
};
template <class U, template <class> class Policy> struct Scaled<U *, 4, Policy> {
    static U run(U *t)
    {
#pragma omp target map(tofrom: t[0:4])
        for (int i = 0; i < 4; ++i)
            t[i] = Policy<U>::of(t[i]);
        return t[3];
    }
    struct In {
        U v;
        template <class F> U with(F f) const
        {
            U r{};
#pragma omp target teams distribute parallel for reduction(+ : r)
            for (int i = 0; i < 4; ++i)
                r += f(v) + i;
            return r;
        }
    };
};
template <std::size_t N> struct Scaled<double[N], 2, Plain> {
    double sum(const double (&a)[N]) const;
};
template <std::size_t N> double Scaled<double[N], 2, Plain>::sum(const double (&a)[N]) const
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: a)
    for (std::size_t i = 0; i < N; ++i)
        s += a[i];
    return s;
}

// Closures that are made in such classes.
template <class F> double sum(int n, F f)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}
template <class T> struct Outer {
    template <class U> struct Inner {
        T t;
        U u;
        template <class V> double with(V v);
    };
    struct Plain {
        T t;
        double scaled();
    };
};
template <class T> template <class U> template <class V> double Outer<T>::Inner<U>::with(V v)
{
    T a = t;
    U b = u;
    return sum(4, [=](int i) { return a * i + b + v; });
}
template <class T> double Outer<T>::Plain::scaled()
{
    T a = t;
    return sum(2, [=](int i) { return a * i; });
}
template <class T, class U> struct Pair;
template <class T> struct Pair<T *, int> {
    T *p;
    double from();
};
template <class T> double Pair<T *, int>::from()
{
    T q = *p;
    return sum(3, [q](int i) { return q + i; });
}

int main()
{
    Outer<int>::Inner<double> inner{2, 0.5};
    check("closures", inner.with(1), 18.0);
    check("closures", inner.with(2.5), 24.0);
    check("closures", Outer<float>::Plain{3}.scaled(), 3.0);
    int four = 4;
    check("closures", Pair<int *, int>{&four}.from(), 15.0);
    double d[4] = {1, 2, 3, 4};
    Matrix<double> m(d, 2);
    check("row", m.row(1).sum(), 7);
    m.mapped(Triple()).apply<2>();
    check("mapped", m.mapped(Triple()).first(), 9);
    double k = 2;
    m.mapped([k](double v) { return v / k; }).apply<1>();
    check("closure", d[3], 18);
    check("private", m.hidden(), 9);
    float f[1] = {5};
    check("other", Matrix<float>(f, 1).row(0).sum(), 5);
    check("packs", Sizes<int, double, char>::all(), 133);
    int q[4] = {1, 2, 3, 4};
    check("pointers", Scaled<int *, 4, Plain>::run(q), 5);
    int add = 10;
    check("in", Scaled<int *, 4, Plain>::In{3}.with([add](int v) { return v + add; }), 58);
    double a[3] = {1, 2, 3};
    check("array", Scaled<double[3], 2, Plain>().sum(a), 6);
    return report();
}
