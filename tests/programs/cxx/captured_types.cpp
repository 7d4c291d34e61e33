// Captured variables of every arithmetic type, enumerations, booleans and pointers to const.
#include "check.hpp"
#include <type_traits>

enum class Mode : unsigned char { off, on = 200 };
enum Old { first, second = -7 };

template <class T, int N> struct Columns {
    int key[N];
    T value[N];
};
template <class C> double weighed(const C &c, int n)
{
    using Key = typename std::remove_cv<typename std::remove_reference<decltype(c.key[0])>::type>::type;
    constexpr Key zero = 0;
    double s = 0;
#pragma omp target teams distribute parallel for map(to : c) reduction(+ : s)
    for (Key i = zero; i < n; ++i)
        s += c.key[i] * c.value[i];
    return s;
}
static long doubled(const long *p, int n)
{
    using Element = decltype(p[0] + 0);
    long s = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) {
        Element own = p[i];
        s += own + own;
    }
    return s;
}

struct Atom {
    double x, mass;
    int kind;
};
template <class T> T sum_of(const Atom *p, int n, T Atom::*member)
{
    T s = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; ++i)
        s += p[i].*member;
    return s;
}

int main()
{
    bool b = true;
    char c = 'x';
    signed char sc = -5;
    short s = -300;
    unsigned short us = 65000;
    unsigned u = 4000000000u;
    long long ll = -1234567890123LL;
    unsigned long long ull = 18000000000000000000ULL;
    float f = 1.25f;
    double d = -2.5;
    Mode m = Mode::on;
    Old o = second;
    char32_t c32 = U'\u20ac';
    wchar_t w = L'w';
    std::size_t z = sizeof(int);
    const int ci = 77;
    const double cd = 0.125;
    int good = 0;
#pragma omp target map(tofrom: good)
    {
        good += b;
        good += c == 'x';
        good += sc == -5;
        good += s == -300;
        good += us == 65000;
        good += u == 4000000000u;
        good += ll == -1234567890123LL;
        good += ull == 18000000000000000000ULL;
        good += f == 1.25f;
        good += d == -2.5;
        good += m == Mode::on;
        good += o == second;
        good += c32 == U'\u20ac';
        good += w == L'w';
        good += z == sizeof(int);
        good += ci == 77;
        good += cd == 0.125;
        b = false; // rex-ignore: lost-result: that it is a copy is tested
        d = 0; // rex-ignore: lost-result: so here
    }
    check("good", good, 17);
    check("b", b, true);
    check("d", d, -2.5);
    Columns<double, 4> columns{{1, 2, 3, 4}, {0.5, 0.5, 0.5, 2}};
    check("types of members", weighed(columns, 4), 11.0);
    const Atom atoms[2] = {{1, 0.5, 3}, {2, 0.25, 4}};
    check("pointers to members", sum_of(atoms, 2, &Atom::mass) + sum_of(atoms, 2, &Atom::kind), 7.75);
    const long numbers[3] = {1, 2, 3};
    check("types of elements", doubled(numbers, 3), 12L);
    return report();
}
