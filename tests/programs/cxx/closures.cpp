// Lambdas inside of regions, regions inside of lambdas, and functors that regions get as objects.
// reference: -O1
#include "check.hpp"
#include <algorithm>
#include <functional>
#include <vector>

struct Affine {
    double a, b;
    double operator()(double x) const { return a * x + b; }
};

int main()
{
    const int n = 40;
    std::vector<double> storage(n, 1.0);
    double *x = storage.data();
    Affine affine{2, 1};
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; ++i) {
        auto square = [](double v) { return v * v; };
        auto shifted = [=](double v) { return v + i; };
        x[i] = square(affine(x[i])) + shifted(0);
    }
    check("lambdas in a region", x[3], 12.0);
    double factor = 3;
    auto scale = [&](double *p, int count) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:count])
        for (int i = 0; i < count; ++i)
            p[i] *= factor;
    };
    scale(x, n);
    check("a region in a lambda", x[3], 36.0);
    std::for_each(storage.begin(), storage.end(), [](double &v) { v += 1; });
    check("a lambda of the host", x[3], 37.0);
    return report();
}
