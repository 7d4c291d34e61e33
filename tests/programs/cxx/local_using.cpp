// enum class, using aliases, alias templates, typedefs in classes, using enum-like names, nested types in captures.
#include "check.hpp"
#include <cstdint>
#include <vector>

namespace cfg {
enum class Color : std::uint8_t { red = 1, green = 2, blue = 4 };
constexpr Color operator|(Color a, Color b)
{
    return static_cast<Color>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
enum Flags { none, fast = 8, exact = 16 };
} // namespace cfg

struct Mesh
{
    using index_type = std::int64_t;
    using value_type = float;
    typedef value_type *pointer;
    enum Axis { X, Y, Z };
    enum class State { idle, busy };
    struct Node
    {
        value_type pos[3];
        State st;
    };
    std::vector<Node> nodes;
    value_type extent(Axis ax) const
    {
        const Node *n = nodes.data();
        const index_type count = static_cast<index_type>(nodes.size());
        value_type m = 0;
#pragma omp target teams distribute parallel for map(to : n[0 : count]) reduction(max : m)
        for (index_type i = 0; i < count; ++i)
            if (n[i].st == State::busy)
                m = m > n[i].pos[ax] ? m : n[i].pos[ax];
        return m;
    }
};
template <class T> using Mat3 = T[3][3];

int main()
{
    using cfg::Color;
    Mesh m;
    for (int i = 0; i < 30; i++)
        m.nodes.push_back({{1.f * i, 2.f * i, 3.f * i}, i % 2 ? Mesh::State::busy : Mesh::State::idle});
    check("X", m.extent(Mesh::X), 29.f);
    check("Z", m.extent(Mesh::Z), 87.f);
    Color mix = Color::red | Color::blue;
    cfg::Flags fl = cfg::exact;
    Mat3<int> a;
    int r = 0;
#pragma omp target map(from : a) map(tofrom : r)
    {
        for (auto &row : a)
            for (int &e : row)
                e = static_cast<int>(mix);
        if (mix == (Color::red | Color::blue) && fl == cfg::exact)
            r = fl + cfg::fast;
    }
    check("a", a[2][2], 5);
    check("r", r, 24);
    return report();
}
