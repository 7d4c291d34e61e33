// What device code calls without naming it: inherited constructors, what structured bindings call, virtual destructors.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"
#include <tuple>
#include <utility>

struct Base {
    int a;
    Base(int x) : a(x) {}
    template <class T> Base(T x, int by) : a(int(x) * by) {}
};

struct Counted {
    int count;
    Counted() : count(3) {}
};

struct Derived : Base {
    using Base::Base;
    int twice() const { return 2 * a + counted.count; }
    Counted counted;
};

struct Again : Derived {
    using Derived::Derived;
};

template <class T> struct Box {
    T value;
    explicit Box(T v) : value(v) {}
};

template <class T> struct Named : Box<T> {
    using Box<T>::Box;
    T get() const { return this->value; }
};

template <class T> T boxed(T v)
{
    T r = 0;
#pragma omp target map(from : r)
    {
        Named<T> named(v);
        r = named.get();
    }
    return r;
}

struct Pair {
    int x;
    double y;
    template <std::size_t I> auto get() const
    {
        if constexpr (I == 0)
            return x;
        else
            return y;
    }
};

namespace std {
template <> struct tuple_size<Pair> : integral_constant<size_t, 2> {};
template <> struct tuple_element<0, Pair> {
    using type = int;
};
template <> struct tuple_element<1, Pair> {
    using type = double;
};
}  // namespace std

struct Shape {
    virtual int id() const { return 1; }
    virtual ~Shape() = default;
};

struct Square final : Shape {
    int id() const override { return 2; }
};

int main()
{
    int r = 0, s = 0, t = 0;
    double d = 0;
#pragma omp target map(from : r, s, t, d)
    {
        Derived derived(4);
        r = derived.twice();
        Again again(2.5, 2);
        s = again.twice();
        Pair pair{3, 4.5};
        auto [u, v] = pair;
        d = u + v;
        Square square;
        t = square.id();
    }
    check("an inherited constructor", r, 11);
    check("a constructor inherited twice", s, 11);
    check("a structured binding", d, 7.5);
    check("a virtual destructor", t, 2);
    check("a constructor of a template", boxed(6.5), 6.5);
    return report();
}
