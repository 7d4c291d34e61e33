// cflags: -std=c++17
// The user's classes with the names of the library's, and with parts of their own.
#include "check.hpp"
#include <tuple>
#include <utility>

namespace mine {
struct array { // ends in front of its storage's end
    int v[8];
    int *begin() { return v; }
    int *end() { return v + 3; }
};
class pair { // members of several kinds
    int v[4];
    int n;

public:
    int *begin() { return v; }
    int *end() { return v + n; }
    pair() : v{1, 2, 3, 4}, n(2) {}
    int last() const { return v[3]; }
};
} // namespace mine

struct array {
    double d[2];
};

struct swapped {
    int a, b;
    template <std::size_t I> int &get()
    {
        if constexpr (I == 0)
            return b;
        else
            return a;
    }
};
template <> struct std::tuple_size<swapped> {
    static constexpr std::size_t value = 2;
};
template <std::size_t I> struct std::tuple_element<I, swapped> {
    using type = int;
};

int main()
{
    mine::array m{{1, 2, 3, 4, 5, 6, 7, 8}};
    mine::pair p;
    array a{{1, 2}};
    int out[8] = {}, parts[3] = {};
#pragma omp target map(tofrom : m, p, a, out, parts)
    {
        int k = 0;
        for (int v : m)
            out[k++] += v;
        for (int &v : m)
            v += 10;
        for (int v : p)
            out[k++] = v;
        auto &[d] = a;
        d[1] = 7;
        d[0] += d[1];
        swapped s{1, 2};
        auto &[x, y] = s;
        x = 50;
        parts[0] = s.a;
        parts[1] = s.b;
        parts[2] = y;
    }
    check("elements", out[0] + out[1] + out[2], 6);
    check("elements of a pair", out[3] + 10 * out[4], 21);
    check("no more", out[5] + out[6] + m.v[3], 4);
    check("changed", m.v[0] + m.v[2], 24);
    check("an array in brackets", a.d[0], 8.0);
    check("the part that get names", parts[1] + parts[0] + parts[2], 52);
    check("not read", p.last(), 4);
    return report();
}
