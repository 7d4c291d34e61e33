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
struct base {
    int first = 3;
};
// Members that are 0 are left out of names, and these are not what the class has by default.
struct settings : base {
    int block = 256;
    bool unroll = true;
    float f = 0.5f;
    base in[2];
    base last;
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

template <app::settings S = app::settings{}> struct reader {
    int read(int x)
    {
#pragma omp target map(tofrom : x)
        x += S.first + S.block + S.unroll * 1000 + int(S.f * 4) + S.in[1].first * 10000 + S.last.first * 100000;
        return x;
    }
};
template <app::settings S> int read(int x)
{
#pragma omp target map(tofrom : x)
    x += S.first + S.block + S.unroll * 1000 + int(S.f * 4) + S.in[1].first * 10000 + S.last.first * 100000;
    return x;
}

int main()
{
    constexpr app::settings none{{0}, 0, false, 0, {{0}, {0}}, {0}}, some{{0}, 64, false};
    const int numbers[] = {reader<>().read(0), reader<none>().read(1), reader<some>().read(0), read<none>(0), read<some>(1)};
    for (int number : numbers)
        std::printf("%d\n", number);
    const double sums[] = {run<app::size{4, {3, true}, 1.5f, 0.1, app::kind::two}>(10), run<app::size{.n = 2}>(5)};
    std::printf("%.15g %.15g\n", sums[0], sums[1]);
    const double added = adder<app::inner{4, true}, int>(3).add() + adder<app::inner{-1, false}, double>(1.5).add();
    std::printf("%g\n", added);
    return !(sums[1] == 2 && added == 8.5 && numbers[0] == 331261 && numbers[1] == 1 && numbers[4] == 330067);
}
