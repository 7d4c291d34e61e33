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
// Methods that regions in templates call for values whose types only instantiations know.
class Engine
{
    int k = 3;
    double over(int x) const { return x + k; }
    double over(double x) const { return x * k; }
    static int own(int x) { return x + 1; }
    static double own(double x) { return x + 2; }
    template <int N> int up(int x) const { return x + N + k; }
    template <int N> static int times(int x) { return x * N; }

public:
    template <class T> void run(T *p, int n)
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = T(over(p[i]) + up<2>(p[i]) + own(p[i]) + times<4>(p[i]));
    }
    template <class T> void only_up(T *p, int n)
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = up<7>(p[i]);
    }
    template <class T> static void only_own(T *p, int n)
    {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] = T(own(p[i]) + times<2>(p[i]));
    }
};

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
    Engine engine;
    int whole[2] = {1, 2};
    double parts[2] = {0.5, 1.5};
    engine.run(whole, 2);
    engine.run(parts, 2);
    engine.only_up(parts, 2);
    Engine::only_own(whole, 2);
    check("methods by their arguments", whole[1], 23 + 1 + 46);
    check("methods of numbers", parts[1], 18 + 10.0);
    return report();
}
