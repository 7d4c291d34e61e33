// Casts of every spelling, conversions of classes, and literals in regions.
#include "check.hpp"
#include <cstdint>

struct Meters {
    double v;
    explicit Meters(double x) : v(x) {}
    explicit operator double() const { return v; }
    operator bool() const { return v != 0; }
};
struct Feet {
    double v;
    Feet(const Meters &m) : v(m.v * 4) {}
};
static double length(Feet f) { return f.v; }
constexpr long double operator"" _km(long double x) { return x * 1000; }
constexpr unsigned long long operator"" _k(unsigned long long x) { return x * 1024; }

int main()
{
    double r[8];
#pragma omp target map(from: r)
    {
        const Meters m(2.5);
        r[0] = static_cast<int>(7.9) + (int)1.9 + int(2.9);
        r[1] = double(m);
        r[2] = m ? 1 : 0;
        r[3] = length(m);
        const float f = 1.0f;
        r[4] = reinterpret_cast<const std::uint32_t &>(f) == 0x3f800000u;
        const int c = 5;
        r[5] = const_cast<int &>(c) + 0x10 + 0b101 + 1'000;
        r[6] = 2_k + 'a';
        r[7] = static_cast<double>(1.5_km) + sizeof("abc") + "xyz"[1];
    }
    check("numbers", r[0], 10.0);
    check("explicit", r[1], 2.5);
    check("bool", r[2], 1.0);
    check("implicit", r[3], 10.0);
    check("reinterpret", r[4], 1.0);
    check("literals", r[5], 1026.0);
    check("suffix", r[6], 2145.0);
    check("strings", r[7], 1500.0 + 4 + 'y');
    return report();
}
