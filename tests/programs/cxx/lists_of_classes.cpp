// Lists of parameters of class templates, with others behind them.
// cflags: -std=c++17
#include "check.hpp"

template <class T, class... Traits> class View {
    T *p;
    int n;

public:
    View(T *p, int n) : p(p), n(n) {}
    template <class F> void each(F f)
    {
        T *q = p;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
        for (int i = 0; i < n; ++i)
            q[i] = f(q[i]);
    }
    template <class U, int K> U sum(U s) const;
    struct Row {
        T *r;
        T first() const
        {
            T v{};
#pragma omp target map(to: r[0:1]) map(from: v)
            v = r[0] + sizeof...(Traits);
            return v;
        }
    };
    Row row() { return {p}; }
    template <class... A> int both(Traits... t, A... a)
    {
        int x = 0;
#pragma omp target map(x)
        x = (t + ... + 0) * 10 + (a + ... + 0);
        return x;
    }
};
template <class T, class... Traits> template <class U, int K> U View<T, Traits...>::sum(U s) const
{
    T *q = p;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: q[0:n])
    for (int i = 0; i < n; ++i)
        s += q[i] * K;
    return s;
}

int main()
{
    double viewed[3] = {1, 2, 3}, by = 2;
    View<double, int, char> view(viewed, 3);
    view.each([=](double x) { return x * by; });
    const double twice = view.sum<double, 2>(0.0);
    check("a list of the class", twice, 24.0);
    check("a class in it", view.row().first(), 4.0);
    check("two lists", view.both(1, 2, 3.5, 4), 37);
    check("an empty list", View<double>(viewed, 3).both(7), 7);
    return report();
}
