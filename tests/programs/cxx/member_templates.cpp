// Partial and explicit specialisations, member templates of class templates, templates of templates, friend templates.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T, int N> struct Small
{
    T v[N];
    template <class F> void each(F f)
    {
#pragma omp target teams distribute parallel for map(tofrom : v) firstprivate(f)
        for (int i = 0; i < N; i++)
            v[i] = f(v[i]);
    }
    template <class U> Small<U, N> as() const;
    T sum() const;
};
template <class T, int N> template <class U> Small<U, N> Small<T, N>::as() const
{
    Small<U, N> r;
    U *p = r.v;
#pragma omp target map(to : v) map(from : p[0 : N])
    for (int i = 0; i < N; i++)
        p[i] = static_cast<U>(v[i]);
    return r;
}
template <class T, int N> T Small<T, N>::sum() const
{
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : v)
    for (int i = 0; i < N; i++)
        s += v[i];
    return s;
}
template <> struct Small<bool, 16>
{
    static constexpr int N = 16;
    unsigned bits = 0;
    int count() const
    {
        int c = 0;
        unsigned b = bits;
#pragma omp target map(tofrom : c)
        for (int i = 0; i < N; i++)
            c += (b >> i) & 1;
        return c;
    }
};
template <class T> T twice(T x)
{
    T r = x;
#pragma omp target map(tofrom : r)
    r *= 2;
    return r;
}
template <> int twice<int>(int x)
{
    int r = x;
#pragma omp target map(tofrom : r)
    r = r * 2 + 1;
    return r;
}
struct Add
{
    double k;
    double operator()(double x) const { return x + k; }
};

int main()
{
    Small<double, 8> a{{1, 2, 3, 4, 5, 6, 7, 8}};
    a.each(Add{0.5});
    a.each([](double x) { return 2 * x; });
    check("sum", a.sum(), 80.0);
    check("as", a.as<int>().v[7], 17);
    check("as", a.as<int>().sum(), 80);
    Small<bool, 16> b;
    b.bits = 0xf0f1;
    check("bits", b.count(), 9);
    check("twice", twice(2.5), 5.0);
    check("twice", twice(2), 5);
    return report();
}
