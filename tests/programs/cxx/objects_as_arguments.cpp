// cflags: -std=c++20
// Templates whose arguments are objects of classes without constructors, with numbers, enumerators and objects in them.
#include <cstdio>

namespace app {
enum class kind { one, two };
struct inner {
    int a;
    bool on;
};
struct size {
    int n;
    inner in;
    float wide;
    double factor;
    kind k;
};
} // namespace app

template <app::size S> double run(int n)
{
    double out = 0;
#pragma omp target teams distribute parallel for reduction(+ : out)
    for (int i = 0; i < n; ++i)
        out += S.in.a * i + S.wide * S.factor;
    out += S.n + (S.k == app::kind::two);
    return out;
}

template <app::inner I, class T> class adder {
    T v;

public:
    explicit adder(T first) : v(first) {}
    T add()
    {
        T w = v;
#pragma omp target map(tofrom : w)
        w += I.a + I.on;
        return w;
    }
};

int main()
{
    const double sums[] = {run<app::size{4, {3, true}, 1.5f, 0.1, app::kind::two}>(10), run<app::size{.n = 2}>(5)};
    std::printf("%.15g %.15g\n", sums[0], sums[1]);
    const double added = adder<app::inner{4, true}, int>(3).add() + adder<app::inner{-1, false}, double>(1.5).add();
    std::printf("%g\n", added);
    return !(sums[1] == 2 && added == 8.5);
}
