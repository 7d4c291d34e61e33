// decltype, sizeof, noexcept, alignof, and traits in regions: they name what no kernel reads.
// reference: -O1
#include "check.hpp"
#include <fstream>
#include <type_traits>
#include <vector>

struct Wide {
    alignas(32) double d[4];
};

// Functions of the host of which device code asks no more than the type.
static double host_only(std::ofstream &o) { return o.good(); }
static std::vector<int> made(int n) { return std::vector<int>(n); }
static auto half(int i) -> decltype(host_only(*(std::ofstream *)nullptr)) { return i * 0.5; }
static double sizes(int i) noexcept(noexcept(made(3)))
{
    decltype(made(i)[0] + 0.5) sum = sizeof(made(3)) == sizeof(std::vector<int>);
    return sum;
}

int main()
{
    std::vector<double> v(3);
    long total = 0;
    double *p = v.data();
#pragma omp target teams distribute parallel for reduction(+: total) map(tofrom: p[0:3])
    for (int i = 0; i < 3; ++i) {
        decltype(total) part = sizeof(Wide) + alignof(Wide);
        if (std::is_same<decltype(p[0]), double &>::value)
            part += 1;
        static_assert(sizeof(part) == 8, "long");
        part += noexcept(part + 1);
        p[i] = static_cast<std::remove_reference<decltype(p[0])>::type>(part);
        total += part;
    }
    check("total", total, 3 * (32 + 32 + 2L));
    check("value", v[2], 66.0);
    double asked = 0;
#pragma omp target map(from: asked)
    {
        decltype(host_only(*(std::ofstream *)nullptr)) own = half(3);
        asked = own + sizes(1) + noexcept(made(1));
    }
    check("of functions", asked, 2.5);
    return report();
}
