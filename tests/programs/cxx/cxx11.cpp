// What C++11 has, with the flags of such a project.
// cflags: -std=c++11
#include "check.hpp"
#include <array>
#include <cstdint>

enum class Kind : std::uint8_t { a, b };
struct Pt
{
    double x, y;
    Pt operator+(const Pt &o) const { return Pt{x + o.x, y + o.y}; }
};
template <typename T> using Ptr = T *;
typedef std::array<int, 4> Four;

template <class T> static auto twice(T t) -> decltype(t + t) { return t + t; }

int main()
{
    Pt p[10];
    for (int i = 0; i < 10; i++)
        p[i] = Pt{1.0 * i, 0.5 * i};
    Ptr<Pt> q = p;
    Kind k = Kind::b;
    Four f = {{1, 2, 3, 4}};
    int fs = 0;
#pragma omp target teams distribute parallel for map(tofrom : q[0 : 10]) reduction(+ : fs)
    for (int i = 0; i < 10; ++i) {
        if (k == Kind::b)
            q[i] = q[i] + Pt{1, 2};
        fs += f[i % 4];
        q[i].x = twice(q[i].x);
    }
    check("x", p[9].x, 20.0);
    check("y", p[9].y, 6.5);
    check("fs", fs, 23);
    auto g = [](int x) { return x + 1; };
    int r = 0;
#pragma omp target map(from : r)
    r = g(41);
    check("g", r, 42);
    return report();
}
