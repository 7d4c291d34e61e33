// Directives and code from macros, in headers' style, with names of namespaces.
#include "check.hpp"

#define FOR_ALL(i, n) \
    _Pragma("omp target teams distribute parallel for") for (int i = 0; i < (n); ++i)
#define SQUARE(x) ((x) * (x))
#define FIELD(name) double name##_value; double name() const { return name##_value; }

namespace lib {
struct State {
    FIELD(mass)
    FIELD(speed)
};
inline double energy(const State &s) { return SQUARE(s.speed()) * s.mass() / 2; }
}  // namespace lib

int main()
{
    double e[6];
    const lib::State state{2, 3};
#pragma omp target data map(from: e)
    {
        FOR_ALL (i, 6)
            e[i] = lib::energy(state) + i;
    }
    check("energy", e[5], 14.0);
    return report();
}
