// Static members of class templates that live on the device, one for each instantiation, and members of classes in
// namespaces that are defined outside of these.
// reference: -fno-openmp
#include "check.hpp"

namespace app {
struct Point {
    int x;
    double y;
};
template <class T, int N = 2> class Count {
    static T hidden;

public:
    static T scale;
    static int uses[N];
    static const T offset;
    static inline T bias = T(N), rest{};
    static T all(T x) { return x * scale + bias + uses[1] + offset + hidden++; }
    T added(T x) const { return x + this->bias + rest; }
    static T fetched()
    {
#pragma omp target update from(hidden)
        return hidden;
    }
};
template <class T, int M> T Count<T, M>::scale = T(3);
template <class U, int M> int Count<U, M>::uses[M] = {1, M};
template <class T, int N> T Count<T, N>::hidden = 1;
template <class T> struct Frame {
    static Point origin;
    static double at(int i) { return i + origin.x + origin.y; }
};
struct Outside {
    static int value;
    static int get() { return value; }
};
}
template <class T, int N> const T app::Count<T, N>::offset = T(7);
template <class T> app::Point app::Frame<T>::origin = {1, 2.5};
int app::Outside::value = 3;

template <class C, class T> T through(T x) { return x * C::scale + C::uses[0] - C::bias; }
template <class C> void bump() { C::scale += 1; }
template <class T> T in_functions(T x)
{
    T r = 0;
#pragma omp target map(from : r)
    {
        r = app::Count<T>::all(x) + through<app::Count<T, 3>>(x);
        bump<app::Count<T, 3>>();
    }
    return r;
}

template <class T> struct Own {
    static T value;
    static int more;
    static T sum() { return value + more; }
    void doubled()
    {
#pragma omp target update to(value)
#pragma omp target
        value = value * 2 + sum();
#pragma omp target update from(value)
    }
};
template <class T> T Own<T>::value = 0;
template <class T> int Own<T>::more = 5;

#pragma omp declare target
template <class T> struct Table {
    static T of[3];
};
template <class T> T Table<T>::of[3] = {1, 2, 3};
#pragma omp end declare target
template <class T> T total()
{
    T s = 0;
#pragma omp target map(tofrom : s)
    {
        for (T x : Table<T>::of)
            s += x;
        Table<T>::of[0] = 10;
    }
    auto &table = Table<T>::of;
#pragma omp target update from(table)
    return s + Table<T>::of[0];
}

// Only a region names it: the region has the host's value, as of other variables.
template <class T> struct Setting {
    static T value;
    T doubled() const
    {
        T r = 0;
#pragma omp target map(from : r)
        r = value * 2;
        return r;
    }
};
template <class T> T Setting<T>::value = T(1);

int main()
{
    check("functions, int", in_functions(2), 2 * 3 + 2 + 2 + 7 + 1 + 2 * 3 + 1 - 3);
    check("functions, double", in_functions(1.5), 1.5 * 3 + 2 + 2 + 7 + 1 + 1.5 * 3 + 1 - 3);
    check("a private member", app::Count<int>::fetched() + 10 * app::Count<double>::fetched(), 22.0);
    auto &scale = app::Count<int, 3>::scale;
#pragma omp target update from(scale)
    check("changed on the device", app::Count<int, 3>::scale * 10 + app::Count<int>::scale, 43);
    double d = 0;
#pragma omp target map(from : d)
    {
        app::Count<short> c;
        d = app::Frame<char>::at(3) + c.added(4) + app::Frame<app::Point>::origin.x + app::Outside::get();
    }
    check("objects", d, 6.5 + 6 + 1 + 3);
    Own<int>::value = 4;
    Own<int>().doubled();
    check("updates in a method", Own<int>::value, 4 * 2 + 9);
    check("declare target", total<int>() + 100 * total<double>(), 16 + 1600.0);
    Setting<float>::value = 8;
    check("captured by a region", Setting<float>().doubled(), 16.0f);
    return report();
}
