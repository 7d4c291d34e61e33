// Abbreviated function templates with regions: functions, methods in and outside of class templates, lists, concepts.
// cflags: -std=c++20
#include <concepts>
#include <cstdio>
template <class T> struct Holder { T v[4] = {1, 2, 3, 4}; void add(auto a, std::integral auto b); static auto twice(auto x) { return x * 2; } };
template <class T> void Holder<T>::add(auto a, std::integral auto b)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 4; ++i) v[i] += a + twice(b);
}
static auto half(auto x) { return x / 2; }
template <int N> double all(const auto *x, auto... more) {
    double s = (more + ... + 0.0);
#pragma omp target teams distribute parallel for map(to: x[0:N]) reduction(+: s)
    for (int i = 0; i < N; ++i) s += half(x[i]);
    return s;
}
inline void scale(auto *p, int n,
           auto f) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (int i = 0; i < n; ++i) p[i] *= f;
}
int main() { double a[4] = {1,2,3,4}; float b[2] = {1, 2}; scale(a, 4, 2.0); scale(b, 2, 3); printf("%g %g\n", a[3], b[1]);
  Holder<double> h; h.add(1, 2L); h.add(2.5f, 1); printf("%g %g\n", h.v[0], all<3>(a, 1, 2.5)); return 0; }
