// Variables of templates whose types are auto, and differ between the instantiations.
#include <cstdio>
#include <vector>
#include <numeric>
template <class T> T total(std::vector<T> &v) {
    auto *p = v.data(); auto n = v.size(); auto factor = T(2); const auto half = T(0.5);
    T s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
    for (auto i = decltype(n)(0); i < n; ++i) s += p[i] * factor + half;
#pragma omp target data map(tofrom: p[0:n]) use_device_ptr(p)
    {
        auto *q = p;
#pragma omp target teams distribute parallel for is_device_ptr(q)
        for (auto i = n * 0; i < n; i++) q[i] += factor;
    }
    for (auto x : v) s += x;
    return s;
}
template <class T> struct Field {
    std::vector<T> v; T other = 2;
    explicit Field(int n) : v(n) { std::iota(v.begin(), v.end(), T(0)); }
    template <class U> void scale(U u) {
        auto p = v.data(); const auto a = u + T(1); const auto &first = other;
#pragma omp target teams distribute parallel for map(tofrom: p[0:v.size()])
        for (auto it = v.begin(); it != v.end(); ++it) *it = *it * a + first;
#pragma omp target enter data map(to: p[0:v.size()])
#pragma omp target teams distribute parallel for
        for (std::size_t i = 0; i < v.size(); ++i) p[i] += 1;
#pragma omp target exit data map(from: p[0:v.size()])
    }
};
int main() {
    std::vector<double> d(10, 1.5); std::vector<float> f(7, 2); std::vector<int> k(5, 3);
    printf("%g %g %d\n", total(d), (double)total(f), total(k));
    Field<double> a(5); Field<int> b(6); a.scale(2.5f); a.scale(3); b.scale(2);
    for (double x : a.v) printf("%g ", x);
    for (int x : b.v) printf("%d ", x);
}
