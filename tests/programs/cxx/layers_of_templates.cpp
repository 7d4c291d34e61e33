// A layer of policies: parameters behind a list, closures in lists of arguments, reducers, and types that are declared
// behind the template in whose region they are.
#include <cstdio>
#include <omp.h>
#include <tuple>
#include <type_traits>
#include <utility>
namespace layer {
template <int N> struct device {};
template <class... S> struct policy {};
template <class P, int L> struct nested {};
struct segment { int b, e; };
template <class P> struct exec;
template <int N> struct exec<device<N>> {
    template <class B> static void run(segment s, B &&body) {
        auto b = body;
#pragma omp target teams distribute parallel for num_teams(N)
        for (int i = s.b; i < s.e; ++i) b(i);
    }
};
template <class P> struct kernel_of;
template <int N, int L> struct kernel_of<policy<nested<device<N>, L>>> {
    template <class T, class... B> static void run(const T &ranges, B &&...bodies) {
        auto all = std::make_tuple(bodies...);
        auto b = std::get<L>(all);
        auto outer = std::get<0>(ranges), inner = std::get<1>(ranges);
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = outer.b; i < outer.e; ++i)
            for (int j = inner.b; j < inner.e; ++j) b(i, j);
    }
};
template <class P, class T, class... B> void kernel(const T &ranges, B &&...bodies) {
    kernel_of<P>::run(ranges, std::forward<B>(bodies)...);
}
// A destructor with a construct is no function of the device, whatever a combiner's name may mean.
template <class T> struct block {
    T *p;
    int n;
    template <class... E, class = std::enable_if_t<(sizeof...(E) > 0)>> explicit block(E... e) : n((int(e) * ...)) {
        p = new T[n];
        T *q = p;
        const int m = n;
#pragma omp target enter data map(alloc: q[0:m])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < m; ++i) q[i] = T(i);
    }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
    void drop() {
        T *q = p;
#pragma omp target exit data map(delete: q[0:n])
        delete[] p;
    }
    ~block() { drop(); }
    template <class... F, std::enable_if_t<(sizeof...(F) < 4), int> = 0> T apply(F... f) const {
        T s{}, *q = p;
#pragma omp target teams distribute parallel for reduction(+ : s)
        for (int i = 0; i < n; ++i) s += (f(q[i]) + ...);
        return s;
    }
};
template <class T> struct most {
    T value = T(-1);
    void join(const most &o) { value = o.value > value ? o.value : value; }
};
template <class T, class F> T greatest(int n, const F &f) {
    most<T> found;
#pragma omp declare reduction(joining : most<T> : omp_out.join(omp_in)) initializer(omp_priv = most<T>())
#pragma omp target teams distribute parallel for reduction(joining : found) map(tofrom: found)
    for (int i = 0; i < n; ++i) found.join({f(i)});
    return found.value;
}
template <class T> double first_times(const T *v, int n) {
    auto first = v[0];
    auto *p = v;
    auto both = std::make_tuple(v[1], 2);
    double s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) s += p[i].a * first.a + std::get<0>(both).a;
    return s;
}
}
struct late { double a; };
struct scaled { double k; double operator()(double v) const { return k * v; } };
int main() {
    using namespace layer;
    const int n = 12;
    double x[n], c[n * n] = {}, *px = x, *pc = c;
#pragma omp target data map(from: px[0:n]) map(tofrom: pc[0:n * n])
    {
        exec<device<4>>::run({0, n}, [=](int i) { px[i] = i; });
        auto ranges = std::make_tuple(segment{0, n}, segment{1, n});
        kernel<policy<nested<device<8>, 1>>>(
            ranges, [=](int i, int j) { pc[i] = j; }, [=](int i, int j) { pc[i * n + j] += px[i] * j; });
    }
    late v[3] = {{1}, {2}, {3}};
    block<double> b(2, 3L);
    std::printf("%g %g %g %g\n", x[11], c[5], c[n * n - 1], b.apply(scaled{2}, scaled{1}));
    std::printf("%g %g\n", greatest<double>(9, [](int i) { return i * (8 - i) * 0.5; }), first_times(v, 3));
}
