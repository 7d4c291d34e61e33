// Recursive functions and templates in regions.
#include "check.hpp"

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

template <unsigned N>
struct Fibonacci {
    static unsigned long get() { return Fibonacci<N - 1>::get() + Fibonacci<N - 2>::get(); }
};
template <>
struct Fibonacci<1> {
    static unsigned long get() { return 1; }
};
template <>
struct Fibonacci<0> {
    static unsigned long get() { return 0; }
};

struct Tree {
    int left[7], right[7];
    int depth(int node) const
    {
        if (node < 0)
            return 0;
        const int l = depth(left[node]), r = depth(right[node]);
        return 1 + (l > r ? l : r);
    }
};

// Classes that are their own bases, with other arguments.
struct Last {
    int last = 7;
    virtual int depth() const { return last; }
};
template <int N>
struct Steps : Steps<N - 1> {
    int own = N;
    int sum() const { return own + this->last; }
};
template <>
struct Steps<0> : Last {};

template <class... T>
struct Pack {
    int none() const { return 1; }
};
template <class T, class... U>
struct Pack<T, U...> : Pack<U...> {
    T first = T();
    int count() const { return sizeof...(U) + 1; }
};

static bool is_odd(int n);
static bool is_even(int n) { return n == 0 || is_odd(n - 1); }
static bool is_odd(int n) { return n != 0 && is_even(n - 1); }

int main()
{
    int a[4];
    const Tree tree{{1, 3, -1, -1, 5, -1, -1}, {2, 4, -1, -1, -1, 6, -1}};
#pragma omp target teams distribute parallel for map(from: a) map(to: tree)
    for (int i = 0; i < 4; ++i)
        a[i] = ackermann(1, i) + tree.depth(i) * 100 + is_even(i) * 1000;
    check("ackermann", a[1] % 100, 3);
    check("depth", a[0] / 100 % 10, 5);
    check("even", a[2] / 1000, 1);
    unsigned long f = 0;
#pragma omp target map(tofrom: f)
    f = Fibonacci<12>::get();
    check("fibonacci", f, 144UL);
    int r[3] = {};
    Pack<int, float> pack;
    pack.first = 5;
#pragma omp target map(tofrom: r) map(to: pack)
    {
        auto *made = new Steps<3>;
        r[0] = made->sum();
        delete made;
        Steps<2> steps;
        r[1] = steps.depth() + steps.own;
        auto *packed = new Pack<int, double, char>;
        r[2] = packed->count() + pack.count() + pack.none() + pack.first;
        delete packed;
    }
    check("made", r[0], 10);
    check("depth of a base", r[1], 9);
    check("packs", r[2], 11);
    return report();
}
