// Inline variables and constants of namespaces.
#include "check.hpp"

namespace config {
inline constexpr int size = 16;
inline constexpr double weights[3] = {0.25, 0.5, 0.25};
inline int offset = 5;
constexpr int squared(int x) { return x * x; }
inline constexpr int area = squared(size);
template <class T> [[maybe_unused]] inline constexpr T two = T(2);
template <class T> __attribute__((unused)) constexpr T three = T(3);
}  // namespace config

#pragma omp declare target
inline double shift = 1;
#pragma omp end declare target

int main()
{
    double x[config::size], y[config::size];
    for (int i = 0; i < config::size; ++i)
        x[i] = i;
#pragma omp target teams distribute parallel for map(to: x) map(from: y)
    for (int i = 0; i < config::size; ++i) {
        double s = 0;
        for (int k = -1; k <= 1; ++k) {
            const int at = (i + k + config::size) % config::size;
            s += config::weights[k + 1] * x[at];
        }
        y[i] = s + config::offset + shift;
    }
    check("inside", y[5], 11.0);
    check("edge", y[0], 0.25 * 15 + 0.25 + 6);
    int area = 0;
#pragma omp target map(from: area)
    area = config::area * config::two<int> + config::three<int>;
    check("area", area, 515);
    shift = 3;
#pragma omp target update to(shift)
    double got = 0;
#pragma omp target map(from: got)
    got = shift;
    check("a variable on the device", got, 3.0);
    return report();
}
