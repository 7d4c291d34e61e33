// Captured variables of every arithmetic type, enumerations, booleans and pointers to const.
#include "check.hpp"

enum class Mode : unsigned char { off, on = 200 };
enum Old { first, second = -7 };

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
    return report();
}
