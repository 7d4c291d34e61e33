// Static members and constants that device code indexes, refers to and changes: nvcc has no variables of the device in classes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

struct Named {
    static constexpr int value = 4;
};

struct Lattice {
    static constexpr int q = 9;
    static constexpr double w[q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    static constexpr int c[q][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    static double equal(int k, double x) { return w[k] * (x + c[k][0] - c[k][1]); }

private:
    static constexpr int odd[] = {1, 3, 5}, even[] = {2, 4}, all = 5;

public:
    static int number(int i) { return odd[i % 3] * even[i % 2] * all; }
};
constexpr double Lattice::w[Lattice::q];

template <class T, int N>
struct Rule {
    static constexpr T points[] = {T(0.5), T(1.5), T(2.5)};
    struct Pair {
        T a;
        int b;
    };
    static constexpr Pair pairs[2] = {{T(1), 2}, {T(3), 4}};
    static constexpr Pair one{T(7), N};
    T scale;
    T integrate(int n) const
    {
        T s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; ++i)
            s += scale * points[i % 3] + pairs[i % 2].a * pairs[i % 2].b + one.b;
        return s;
    }
};

template <class R>
double applied(int n)
{
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
    for (int i = 0; i < n; ++i)
        s += R::points[i % 3];
    return s;
}

struct Config {
    static double scale;
    static int table[4];
    inline static long hits = 0;
    static const double eps;
    static const int list[3];
    static double f(int i) { return scale * table[i % 4] + eps + list[i % 3]; }
    static long bump() { return ++secret; }

private:
    static long secret;
};
double Config::scale = 2;
int Config::table[4] = {1, 2, 3, 4};
const double Config::eps = 0.25;
const int Config::list[3] = {5, 6, 7};
long Config::secret = 40;
#pragma omp declare target to(Config::scale, Config::table)

namespace limits {
constexpr double eps = 0.5;
const double tau = 0.25;
constexpr int big = 3;
static const int small = 1;
inline constexpr long wide = 7;
template <class T>
constexpr T powers[3] = {T(1), T(10), T(100)};
} // namespace limits

struct Clip {
    static constexpr double low = 1, high = 2;
    static const int n = 3;
    static double of(double x) { return std::min(high, std::max(low, x)); }
};
const int Clip::n;

template <class T>
struct Floor {
    static constexpr T low = 1;
    static T of(T x) { return std::max(x, low); }
};

template <class F>
double lowest(double x)
{
    return std::max(x, F::low);
}

int more(const int &x) { return x + 1; }

int main()
{
    double out[18];
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < 18; ++i)
        out[i] = Lattice::equal(i % 9, i) + Lattice::w[i % 9] + Lattice::c[i % 9][1] + Lattice::number(i);
    for (double d : out)
        std::printf("%g ", d);
    Rule<double, 3> rule{2};
    Rule<float, 4> other{1};
    std::printf("\n%g %g %g\n", rule.integrate(10), (double)other.integrate(7), applied<Rule<double, 1>>(5));
    Config::scale = 3;
#pragma omp target update to(Config::scale)
#pragma omp target teams distribute parallel for map(from: out)
    for (int i = 0; i < 18; ++i)
        out[i] = Config::f(i) + limits::powers<double>[i % 3];
#pragma omp target map(tofrom: Config::hits)
    Config::hits += 5 + Config::bump();
    for (double d : out)
        std::printf("%g ", d);
    std::printf("%ld\n", Config::hits);
    double o[6] = {0, 1, 2, 3, 4, 5};
    int p[7] = {0, 1, 2, 3, 4, 5};
#pragma omp target map(tofrom: o, p)
    {
        o[0] = std::max(o[1], limits::eps);
        o[2] = std::max(o[2], Clip::low);
        o[3] = std::max(o[3], Floor<double>::low);
        p[0] = std::min(Clip::n, p[1]);
        p[2] = std::max(p[3], limits::big) + std::min(limits::small, p[1]);
        o[4] = std::max(limits::tau, o[4]);
        p[6] = std::max(p[3], Named::value);
        p[5] = more(Clip::n) + more(limits::big);
        o[5] = Clip::of(3) + Clip::of(0.5) + Floor<double>::of(0.25) + lowest<Floor<double>>(0.2);
        o[5] += std::max(limits::wide, 4L);
    }
    for (double d : o)
        std::printf("%g ", d);
    for (int d : p)
        std::printf("%d ", d);
    std::printf("\n");
    std::pair<int, double> best(-1, 0), pairs[8]; // nvcc has no device version of these assignments before C++20
#pragma omp target map(from: pairs) map(tofrom: best)
    {
        for (int i = 0; i < 8; ++i) {
            pairs[i] = std::make_pair(i, i * .5);
            if (pairs[i].second > best.second)
                best = pairs[i];
        }
        std::pair<short, float> q{1, 2.f};
        pairs[0] = q;
        pairs[3].swap(pairs[4]);
    }
    std::printf("%d %g %g %d\n", best.first, best.second, pairs[0].second, pairs[3].first);
}
