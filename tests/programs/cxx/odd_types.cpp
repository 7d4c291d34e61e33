// Types that captures can have: unions, bit-fields, enumerations, nullptr, char kinds, long long, bool, function pointers by constant, arrays of structures.
#include "check.hpp"
#include <cstddef>
#include <cstdint>

union Word
{
    std::uint32_t u;
    std::uint8_t b[4];
};
struct Flags
{
    unsigned a : 3;
    unsigned b : 5;
    int c : 8;
};
struct Empty
{
    int operator()() const { return 3; }
};
struct Node
{
    Word w;
    Flags f;
    Empty e;
    const Node *next;
};
using Row = int[4];

int main()
{
    Word w;
    w.u = 0x01020304u;
    Flags fl{5, 17, -7};
    Empty e;
    char c = 'x';
    char16_t c16 = u'y';
    wchar_t wc = L'z';
    bool yes = true;
    signed char sc = -3;
    std::nullptr_t none = nullptr;
    std::size_t sz = 11;
    std::ptrdiff_t pd = -4;
    long long ll = 1LL << 40;
    Row rows[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    Row *pr = rows;
    Node n{};
    n.w.u = 7;
    long long out[12];
#pragma omp target map(from : out) map(to : pr[0 : 2]) map(tofrom : n)
    {
        out[0] = w.b[0] + w.b[3];
        out[1] = fl.a + fl.b + fl.c;
        out[2] = e();
        out[3] = c + c16 + wc;
        out[4] = yes ? sc : 0;
        out[5] = none == nullptr;
        out[6] = static_cast<long long>(sz) + pd;
        out[7] = ll + 1;
        out[8] = pr[1][3] + (*pr)[0];
        n.f.a = 6;
        n.f.c = -100;
        n.w.b[1] = 1;
        out[9] = n.e() + n.f.a;
        out[10] = n.next == nullptr;
        out[11] = sizeof(Node);
    }
    check("union", out[0], 5LL);
    check("bits", out[1], 15LL);
    check("empty", out[2], 3LL);
    check("characters", out[3], static_cast<long long>('x') + 'y' + 'z');
    check("bool", out[4], -3LL);
    check("nullptr", out[5], 1LL);
    check("size", out[6], 7LL);
    check("long", out[7], (1LL << 40) + 1);
    check("rows", out[8], 9LL);
    check("node", out[9], 9LL);
    check("next", out[10], 1LL);
    check("sizeof", out[11], static_cast<long long>(sizeof(Node)));
    check("changed", n.w.u, 0x107u);
    check("changed bits", static_cast<int>(n.f.c), -100);
    return report();
}
