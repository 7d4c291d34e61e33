// reference: -Wno-unknown-pragmas
// Regions in what is no function of the unit: initialisers of members, default arguments, methods of functions' classes,
// friends that are templates of class templates.
#include "check.hpp"
#include <vector>

int base() { return 4; }

struct Table {
    static const int K = 3;
    static inline const int shared = [](int s) {
#pragma omp target map(tofrom: s)
        s += K;
        return s;
    }(base());
    static const double outside;
    int n = 100;
    const std::vector<double> v = [this] {
        std::vector<double> made(n, 1);
        double *p = made.data();
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; ++i)
            p[i] += i;
        return made;
    }();
    double last{[&]() -> double {
        const double *p = v.data();
        double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to: p[0:n])
        for (int i = 0; i < n; ++i)
            s += p[i];
        return s;
    }()};
    int plus(int a = [] {
        int s = 0;
#pragma omp target map(tofrom: s)
        s += K;
        return s;
    }(), const std::vector<int> &more = [] {
        std::vector<int> made(2, 7);
        int *p = made.data();
#pragma omp target map(tofrom: p[0:2])
        p[1] += 1;
        return made;
    }()) const { return a + more[1]; }
};
const double Table::outside = [] {
    double s = K;
#pragma omp target map(tofrom: s)
    s /= 2;
    return s;
}();

template <class T, int N> struct Sum {
    T scale = 2;
    static T first;
    T total = [this] {
        T s = 0, f = scale;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < N; ++i)
            s += f * i;
        return s;
    }();
};
template <class T, int N> T Sum<T, N>::first = [](T s) {
#pragma omp target map(tofrom: s)
    s += N;
    return s;
}(1);

template <class T> T scaled(T x, T f = [] {
    T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < 8; ++i)
        s += T(i);
    return s;
}()) { return x * f; }

template <class T> class Hidden;
template <class U> U increased(Hidden<U> *h);
void halve(Hidden<double> *h);
template <class T> class Hidden {
    T v;
    template <class U> friend U increased(Hidden<U> *h);
    friend void halve(Hidden<double> *h);

  public:
    explicit Hidden(T v) : v(v) {}
    T get() const { return v; }
    template <class U> friend Hidden operator*(Hidden h, U u)
    {
#pragma omp target map(tofrom: h)
        h.v *= u;
        return h;
    }
    template <int K, class F> friend T sum(const Hidden &h, F f)
    {
        T r = 0;
        const T m = h.v;
#pragma omp target teams distribute parallel for reduction(+ : r)
        for (int i = 0; i < K; ++i)
            r += f(m) + i;
        return r;
    }
};
template <class U> U increased(Hidden<U> *h)
{
#pragma omp target map(h[0:1])
    h->v += 1;
    return h->v;
}
void halve(Hidden<double> *h)
{
#pragma omp target map(h[0:1])
    h->v /= 2;
}
template <int> void sum();
template <int K, class T, class F> T sum_of(const Hidden<T> &h, F f) { return sum<K>(h, f); }

struct Weight {
    double w = 2;
    double of(int i) const { return w * i; }
};
double third(double x) { return x / 3; }
template <class S> double twice(const S &s) { return 2 * s.sum(); }

int main()
{
    Table t;
    check("member", t.last, 5050.0);
    check("static member", Table::shared, 7);
    check("static member outside", Table::outside, 1.5);
    check("default arguments", t.plus(), 11);
    check("given argument", t.plus(1), 9);
    check("member of a template", Sum<float, 10>().total, 90.0F);
    check("and of another", Sum<long, 20>().total, 380L);
    check("static member of a template", Sum<int, 5>::first, 6);
    check("default argument of a template", scaled(0.5), 14.0);
    const int three = 3;
    check("friend template of a template", (Hidden<int>(4) * 2).get() + (Hidden<double>(1.5) * 2.0F).get(), 11.0);
    check("with a closure", sum_of<4>(Hidden<int>(2), [three](int x) { return x * three; }), 30);
    Hidden<double> half(5);
    halve(&half);
    check("friends that are defined outside", increased(&half), 3.5);
    const int n = 6;
    enum Mode { Add = 2 };
    static const double scale[2] = {1, 3};
    struct Acc : Weight {
        double f = 1;
        static double cube(double x) { return x * x * x; }
        double one(int i) const { return third(of(i)) + cube(f) + Add; }
        double sum() const
        {
            double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
            for (int i = 0; i < n; ++i)
                s += one(i) * scale[i & 1];
            return s;
        }
    };
    check("class of a function", (long)(twice(Acc()) + 0.5), 116L);
    class Guard {
        int *p, n;

      public:
        Guard(int *p, int n) : p(p), n(n)
        {
#pragma omp target enter data map(to: this->p[0:n])
        }
        ~Guard()
        {
#pragma omp target exit data map(from: p[0:n])
        }
        void add()
        {
            int *q = p;
#pragma omp target teams distribute parallel for
            for (int i = 0; i < n; ++i)
                q[i] += 1;
        }
    };
    int a[3] = {1, 2, 3};
    {
        Guard guard(a, 3);
        guard.add();
        guard.add();
    }
    check("that maps", a[2], 5);
    return report();
}
