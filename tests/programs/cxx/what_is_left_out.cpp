// What the device file leaves out, with all that belongs to it, and what the rest of the text needs nevertheless.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"
#include <vector>

alignas(64) int table[4] = {1, 2, 3, 4};
[[maybe_unused]] static int spare[2] = {5, 6};
extern "C" {
int of_c = 7;
}
__attribute__((aligned(32))) double wide = 1.5;

[[nodiscard]] auto deduced(int n) { return n + table[0]; }

namespace lib {
int g(int v) { return v + 1; }
int longer_name(int v) { return v + 2; }
}  // namespace lib
using lib::g;
using lib::longer_name;

// The unit names a type by a host function whose result is deduced.
auto make(int n) { return std::vector<int>(n, 2); }
using List = decltype(make(1));

struct Holder {
    List list = make(3);
    decltype(g(1)) number = g(1);
};

int main()
{
    Holder holder;
    int s = 0, *p = holder.list.data(), n = holder.number;
#pragma omp target teams distribute parallel for map(to : p[0:3]) reduction(+ : s)
    for (int i = 0; i < 3; ++i)
        s += p[i] + n;
    check("sum", s, 12);
    check("the host's", table[1] + spare[1] + of_c + deduced(1) + longer_name(1) + int(wide), 21);
    return report();
}
