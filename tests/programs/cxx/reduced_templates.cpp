// Reductions and mappers of instantiations of class templates, of the user's and of the standard library.
// reference: -Wno-unknown-pragmas
// cflags: -std=c++20
#include "check.hpp"
#include <array>
#include <complex>
#include <utility>

template <class T> struct Acc
{
    T s, q;
    Acc operator+(const Acc &o) const { return {s + o.s, q + o.q}; }
};
#pragma omp declare reduction(+ : Acc<double>, Acc<int> : omp_out = omp_out + omp_in) initializer(omp_priv = {0, 0})
#pragma omp declare reduction(+ : std::complex<double> : omp_out = omp_out + omp_in) initializer(omp_priv = {0, 0})

template <class T, int N> struct Sums
{
    T s[N];
};
template <class V> void add(V &to, const V &from)
{
    to.s[0] += from.s[0];
    to.s[1] += from.s[1];
}
#pragma omp declare reduction(+ : Sums<double, 2>, Sums<int, 2> : add(omp_out, omp_in)) initializer(omp_priv = {{0, 0}})

namespace app {
using Best = std::pair<double, int>;
inline Best better(Best a, Best b) { return b.first > a.first ? b : a; }
#pragma omp declare reduction(best : Best : omp_out = better(omp_out, omp_in)) initializer(omp_priv = Best(-1e30, -1))
template <class T, int N> struct Row
{
    T *p;
    T at(int i) const { return p[i % N]; }
};
#pragma omp declare mapper(Row<float, 8> r) map(to : r, r.p[0 : 8])
} // namespace app

// A branch that an instantiation discards has no variables there.
template <bool Weighted, class T> T summed(const T *p, int n)
{
    if constexpr (Weighted) {
        T sum = T(1);
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += p[i] * i;
        return sum;
    } else {
        T plain = T(0);
#pragma omp simd reduction(+ : plain)
        for (int i = 0; i < n; i++)
            plain += p[i];
        return plain;
    }
}

int main()
{
    const int n = 200;
    double x[n];
    for (int i = 0; i < n; i++)
        x[i] = (i * 29) % 199;
    Acc<double> a{0, 0};
    Acc<int> b{1, 1};
    std::complex<double> z;
    app::Best best(0, -1);
    Sums<double, 2> sums{{1, 2}};
    Sums<int, 2> whole{{3, 4}};
#pragma omp target teams distribute parallel for reduction(+ : sums, whole) map(to : x)
    for (int i = 0; i < n; i++) {
        add(sums, {{x[i], 1}});
        add(whole, {{i, 1}});
    }
    check("sums", sums.s[1] + whole.s[0], 2.0 + n + 3 + n * (n - 1) / 2);
    check("whole", whole.s[1], 4 + n);
#pragma omp target teams distribute parallel for reduction(+ : a, b, z) reduction(app::best : best) map(to : x)
    for (int i = 0; i < n; i++) {
        a = a + Acc<double>{x[i], 1};
        b.s += i;
        b.q++;
        z = z + std::complex<double>(1, x[i]);
        best = app::better(best, {x[i], i});
    }
    double s = 0;
    app::Best want(0, -1);
    for (int i = 0; i < n; i++) {
        s += x[i];
        want = app::better(want, {x[i], i});
    }
    check("a", a.s, s);
    check("q", a.q, 200.0);
    check("b", b.s, 19901);
    check("bq", b.q, 201);
    check("z", z, std::complex<double>(200, s));
    check("best", best, want);
    float f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    app::Row<float, 8> row{f};
    float t = 0;
#pragma omp target map(tofrom : t)
    for (int i = 0; i < 16; i++)
        t += row.at(i);
    check("row", t, 72.f);
    float both[2] = {};
#pragma omp target map(to : f) map(tofrom : both)
    {
        both[0] = summed<true>(f, 8);
        both[1] = summed<false>(f, 8);
    }
    check("weighted", both[0], 169.f);
    check("plain", both[1], 36.f);
    return report();
}
