// Closures with initialised captures, nested closures, closures kept in structures and arrays, returned by functions, with templates.
// reference: -O1
#include "check.hpp"
#include <array>
#include <utility>

struct Model
{
    double rate;
    double eval(int i) const { return rate * i; }
};

template <class F, class G> struct Compose
{
    F f;
    G g;
    template <class T> auto operator()(T x) const { return f(g(x)); }
};
template <class F, class G> Compose<F, G> compose(F f, G g) { return {f, g}; }

template <class Out, class F> void generate(Out *out, int n, F f)
{
#pragma omp target teams distribute parallel for map(from : out[0 : n])
    for (int i = 0; i < n; i++)
        out[i] = f(i);
}
// Types of parameters that a function finds by its own using-directives and using-declarations.
namespace index_types {
struct Row {
    int at;
    Row(int at) : at(at) {}
};
template <class T> struct Times {
    int by;
    Times(int by) : by(by) {}
};
}
struct Rows {
    int first;
    void number(double *out, int n) const
    {
        using namespace index_types;
        if (n > 0) {
            using index_types::Times;
            fill(out, n, [first = first](const Row &row, Times<Row> times) {
                const Row copy = row;
                return first + copy.at * times.by;
            });
        }
    }
    template <class F> static void fill(double *out, int n, F f)
    {
#pragma omp target teams distribute parallel for map(from : out[0 : n])
        for (int i = 0; i < n; i++)
            out[i] = f(i, 2);
    }
};

// Templates with values and types as arguments.
template <long N, class F, class... T> struct Shifted {
    F f;
    double operator()(int i) const { return f(i + N); }
};
template <class F, int... N> struct Summed {
    F f;
    double operator()(int i) const { return (f(i * N) + ...); }
};
template <int N, bool Twice, class F> struct Scaled {
    F f;
    double operator()(int i) const { return (Twice ? 2 : 1) * N * f(i); }
};
template <long N, class F> Shifted<N, F, int> shifted(F f) { return {f}; }
template <class F> Summed<F, 1, 2> summed(F f) { return {f}; }
template <int N, class F> Scaled<N, true, F> scaled(F f) { return {f}; }

static auto polynomial(double a, double b)
{
    return [a, b](double x) { return a * x + b; };
}

int main()
{
    double out[16];
    auto p = polynomial(2, 1);
    generate(out, 16, p);
    check("polynomial", out[15], 31.0);
    auto sq = [](double x) { return x * x; };
    generate(out, 16, compose(p, sq));
    check("composed", out[4], 33.0);
    int base = 10;
    auto nested = [base, scale = base * 2](int i) {
        auto inner = [&](int k) { return k * scale; };
        return inner(i) + base;
    };
    generate(out, 16, nested);
    check("nested", out[3], 70.0);
    std::array<double, 3> w{{1, 2, 3}};
    generate(out, 16, [w](int i) { return w[i % 3]; });
    check("array", out[5], 3.0);
    Model m{0.25};
    generate(out, 16, [m](int i) { return m.eval(i); });
    check("model", out[8], 2.0);
    float fs[4];
    generate(fs, 4, [k = 1.5f](int i) -> float { return k + i; });
    check("float", fs[3], 4.5f);
    generate(out, 16, scaled<5>(summed(shifted<3>([base](int i) { return base + i; }))));
    check("values among types", out[2], 320.0);
    Rows{7}.number(out, 16);
    check("types by using", out[3], 13.0);
    return report();
}
