// Generic lambdas, lambdas in function templates, lambdas that return lambdas, immediately invoked, recursive through templates.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T, class F> void transform(const T *in, T *out, int n, F f)
{
#pragma omp target teams distribute parallel for map(to : in[0 : n]) map(from : out[0 : n])
    for (int i = 0; i < n; i++)
        out[i] = f(in[i]);
}

template <class T> void pipeline(const T *in, T *out, int n, T k)
{
    auto scale = [k](T x) { return x * k; };
    transform(in, out, n, scale);
    transform(in, out, n, [scale](auto x) { return scale(x) + 1; });
}

int main()
{
    int a[10], b[10];
    float x[10], y[10];
    for (int i = 0; i < 10; i++)
        a[i] = i, x[i] = i * 0.5f;
    pipeline(a, b, 10, 3);
    pipeline(x, y, 10, 2.f);
    check("int", b[9], 28);
    check("float", y[9], 10.f);
    auto adder = [](int k) { return [k](int v) { return v + k; }; };
    auto add5 = adder(5);
    const int start = [] { return 40; }();
    int r = 0;
#pragma omp target map(from : r)
    {
        auto rec = [](auto self, int n) -> int { return n <= 1 ? 1 : n * self(self, n - 1); };
        r = add5(start) + rec(rec, 5);
    }
    check("r", r, 165);
    transform(a, b, 10, add5);
    check("add5", b[9], 14);
    auto gen = [](auto v) { return v * v; };
    transform(a, b, 10, gen);
    check("gen", b[9], 81);
    return report();
}
