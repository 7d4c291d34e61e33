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
    return report();
}
