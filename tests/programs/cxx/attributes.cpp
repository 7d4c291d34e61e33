// Attributes and linkage of functions that regions call, spelled in every way.
#include "check.hpp"

#define INLINE inline __attribute__((always_inline))
[[nodiscard]] static int a(int x) { return x + 1; }
__attribute__((noinline)) int b(int x) { return x + 2; }
INLINE int c(int x) { return x + 3; }
template <class T>
[[gnu::const]] T d(T x) noexcept
{
    return x + 4;
}
extern "C" int e(int x) { return x + 5; }
extern "C" {
static int f(int x) { return x + 6; }
int twin(int x);
int twin(int x) { return x + f(0); }
}
struct S {
    [[nodiscard]] int g(int x) const noexcept { return x + 7; }
    __attribute__((noinline)) static int h(int x) { return x + 8; }
    [[gnu::always_inline]] inline int k([[maybe_unused]] int unused, int x) const { return x + 9; }
};
struct Last {
    int *at;
    explicit Last(int *p) : at(p) {}
    Last(const Last &other) : at(other.at) {}
    int &operator*() const { return at[-1]; }
};
struct Row {
    int v[4];
    [[gnu::const]] Last last() { return Last(v + 4); }
    __attribute__((__pure__)) Last first() { return Last(v + 1); }
};
int declared(int x) __attribute__((const));
int declared(int x) { return x + 10; }
[[deprecated]] [[maybe_unused]] static int old(int x) { return x; }
auto trailing(int x) -> int { return x + 11; }
static inline constexpr auto deduced(int x) { return x + 12; }
decltype(auto) forwarded(int &x) { return (x); }

int main()
{
    int r[4];
    S s;
#pragma omp target teams distribute parallel for map(from: r)
    for (int i = 0; i < 4; ++i) {
        int j = 13;
        r[i] = a(i) + b(i) + c(i) + d(i) + e(i) + twin(i) + s.g(i) + S::h(i) + s.k(0, i) + declared(i) + trailing(i)
            + deduced(i) + forwarded(j);
    }
    for (int i = 0; i < 4; ++i)
        check("sum", r[i], 12 * i + 91);
    Row row = {{1, 2, 3, 4}};
#pragma omp target map(tofrom: row)
    *row.first() = *row.last();
    check("first", row.v[0], 4);
    return report();
}
