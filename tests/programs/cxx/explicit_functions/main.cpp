// Calls templates whose bodies, and so whose regions, are in another unit.
#include "../check.hpp"
#include "templates.hpp"

int main()
{
    int a[8] = {};
    fill<64>(a, 8);
    fill<2>(a, 4);
    check("a value", a[3], 66);
    check("another value", a[7], 64);
    double d[3] = {};
    const Adder<double> adder;
    adder.add(d);
    Adder<double>::put(d);
    const std::pair<double, int> by(7, 2);
    check("a result", app::inner::pairs(d, by).second, 2);
    check("a static method", d[0], 12.0);
    check("a method", d[1], 12.0);
    check("a default argument", d[2], 7.0);
    app::inner::each(d);
    check("a deduced argument", d[1], 5.0);
    return report();
}
