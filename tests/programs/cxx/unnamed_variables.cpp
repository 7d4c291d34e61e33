// Regions in named, nested, inline and unnamed namespaces; using declarations and directives inside of them.
#include "check.hpp"
#include <cmath>

namespace physics {
inline namespace v1 {
constexpr double gravity = 9.5;
double scale = 2.0;
#pragma omp declare target(scale)
double fall(double t) { return 0.5 * gravity * t * t; }
} // namespace v1
namespace detail {
struct Params
{
    double dt;
    int steps;
};
void run(double *out, const Params &p)
{
#pragma omp target teams distribute parallel for map(from : out[0 : p.steps])
    for (int i = 0; i < p.steps; ++i)
        out[i] = fall(p.dt * i) * scale;
}
} // namespace detail
} // namespace physics

namespace {
int counter = 3;
int next(int x) { return x * counter; }
namespace inner {
long twice(const int *v, int n)
{
    long r = 0;
#pragma omp target map(to : v[:n]) map(tofrom : r)
    for (int i = 0; i < n; i++)
        r += next(v[i]);
    return r;
}
} // namespace inner
} // namespace

namespace short_name = physics::detail;

int main()
{
    using physics::detail::Params;
    double out[20];
    Params p{0.25, 20};
    short_name::run(out, p);
    for (int i = 0; i < 20; ++i)
        check("fall", out[i], 9.5 * 0.5 * (0.25 * i) * (0.25 * i) * 2.0);
    int v[5] = {1, 2, 3, 4, 5};
    check("unnamed", inner::twice(v, 5), 45L);
    return report();
}
