// Static members of partial specialisations, of classes in them, and of templates in templates, in regions.
#include "check.hpp"

namespace app {
template <class T, int N, class... R> struct Vec {
    static constexpr int kind = 0;
};
template <class T, class... R> struct Vec<T *, 2, int, R...> {
    static int count;
    static constexpr int kind = 1;
    T *p;
    int n;
    struct In {
        int a;
        T x[3];
        void go()
        {
#pragma omp target map(tofrom: a)
            a += count + kind;
        }
        T all()
        {
            T s{};
            T *y = x;
#pragma omp target teams distribute parallel for map(to: y[0:3]) reduction(+: s) map(tofrom: s)
            for (int i = 0; i < 3; ++i)
                s += y[i] * count;
            return s;
        }
    };
    void fill()
    {
        T *q = p;
#pragma omp target teams distribute parallel for map(from: q[0:n])
        for (int i = 0; i < n; ++i)
            q[i] = i + count * kind;
    }
    template <class U> U mixed(U u)
    {
#pragma omp target map(tofrom: u)
        u += count + U(sizeof...(R));
        return u;
    }
};
template <class T, class... R> int Vec<T *, 2, int, R...>::count = 11;

template <class T> struct Box {
    T v;
};
template <template <class> class C, class T> struct Wrap;
template <class T> struct Wrap<Box, T> {
    Box<T> b;
    static T seed;
    T go()
    {
        T r;
#pragma omp target map(from: r)
        r = b.v + seed;
        return r;
    }
};
template <class T> T Wrap<Box, T>::seed = 3;

template <class T> struct Outer {
    template <class U> struct Mid {
        U u;
        static int n;
        void go()
        {
#pragma omp target
            u += n;
        }
    };
    template <class U> struct Mid<U *> {
        U u;
        static int n;
        void go()
        {
#pragma omp target
            u -= n;
        }
    };
};
template <class T> template <class U> int Outer<T>::Mid<U>::n = 5;
template <class T> template <class U> int Outer<T>::Mid<U *>::n = 6;
}

int main()
{
    app::Vec<double *, 2, int>::In in{5, {1, 2, 3}};
    in.go();
    check("of a class in a specialisation", in.a, 17);
    check("in a reduction", in.all(), 66.0);
    double d[4];
    app::Vec<double *, 2, int, char, long> v{d, 4};
    v.fill();
    check("of a specialisation", d[3], 14.0);
    check("in a template of it", v.mixed(0.5), 13.5);
    app::Wrap<app::Box, int> w{{4}};
    check("of a template's specialisation", w.go(), 7);
    app::Outer<int>::Mid<double> m{1};
    app::Outer<int>::Mid<double *> q{1};
    m.go();
    q.go();
    check("of a template in a template", m.u, 6.0);
    check("of its specialisation", q.u, -5.0);
    return report();
}
