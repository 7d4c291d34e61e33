// Closures that templates take by forwarding references, by name and as temporaries, in free functions and methods.
// reference: -Wno-unknown-pragmas
#include "check.hpp"
#include <utility>

struct Exec
{
    template <class F> void operator()(int n, F f) const
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            f(i);
    }
    template <class F> static void once(F &&f)
    {
#pragma omp target
        f();
    }
};
template <class T, class F> T sum(int n, T init, F &&f)
{
    T s = init;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}
template <class F> long outer(int n, F &&f) { return sum(n, 0L, std::forward<F>(f)); }

class Wave
{
  public:
    static constexpr int N = 40;
    double u[N] = {};
    double c = 2;
    void go(Exec ex)
    {
        ex(N, [this](int i) { u[i] += c * i; });
        ex(N, [&](int i) { this->u[i] += at(i); });
    }
    double peek(int i)
    {
        double r = 0;
        Exec::once([&r, i, *this]() { r = u[i] + c; });
        return r;
    }

  private:
    double at(int i) const { return i * 0.5; }
};

int main()
{
    Wave w;
    w.go(Exec{});
    w.go(Exec{});
    check("u", w.u[39], 2 * (78.0 + 19.5));
    check("peek", w.peek(2), 2 * (4.0 + 1.0) + 2);
    int total = 0;
    int v[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Exec::once([&] {
        for (int i = 0; i < 10; i++)
            total += v[i];
    });
    check("total", total, 55);
    const auto square = [](int i) { return static_cast<long>(i) * i; };
    auto cube = [k = 1L](int i) { return k * i * i * i; };
    check("const", sum(5, 0L, square), 30L);
    check("named", sum(5, 0L, cube), 100L);
    check("temporary", sum(5, 1L, [](int i) { return static_cast<long>(i); }), 11L);
    check("outer", outer(4, cube) + outer(4, square), 36L + 14L);
    return report();
}
