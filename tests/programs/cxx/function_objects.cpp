// Functors as template arguments, default template arguments, function objects of <functional>, policies.
#include "check.hpp"
#include <functional>

template <class T, class Op = std::plus<T>> T reduce_pairs(const T *a, const T *b, T *out, int n, Op op = Op())
{
#pragma omp target teams distribute parallel for map(to : a[0 : n], b[0 : n]) map(from : out[0 : n])
    for (int i = 0; i < n; i++)
        out[i] = op(a[i], b[i]);
    return out[n - 1];
}

struct Clamp
{
    int lo, hi;
    int operator()(int a, int b) const
    {
        int c = a + b;
        return c < lo ? lo : c > hi ? hi : c;
    }
};

template <template <class> class P> int with_policy(int n)
{
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += P<int>::apply(i);
    return s;
}
template <class T> struct Even
{
    static T apply(T x) { return x % 2 == 0; }
};
template <class T> struct Half
{
    static T apply(T x) { return x / 2; }
};

int main()
{
    int a[20], b[20], o[20];
    for (int i = 0; i < 20; i++)
        a[i] = i, b[i] = 100 - i * i;
    check("plus", reduce_pairs(a, b, o, 20), 19 + 100 - 361);
    check("minus", reduce_pairs(a, b, o, 20, std::minus<int>()), 19 - 100 + 361);
    check("multiplies", reduce_pairs<int, std::multiplies<int>>(a, b, o, 20), 19 * (100 - 361));
    check("clamp", reduce_pairs(a, b, o, 20, Clamp{-5, 50}), -5);
    check("clamp0", o[0], 50);
    check("less", reduce_pairs(a, b, o, 20, std::less<>{}), 0);
    check("even", with_policy<Even>(11), 6);
    check("half", with_policy<Half>(11), 25);
    return report();
}
