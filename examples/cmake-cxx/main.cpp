#include "poisson.hpp"
#include <cstdio>

extern "C" double norm(const double *x, int n);

int main()
{
    Poisson<double> fine(63, [](double) { return 2.0; });
    Poisson<float> coarse(7, [](float x) { return x < 0.5f ? 0.0f : 4.0f; });
    while (fine.step() > 1e-12) {
    }
    while (coarse.step() > 1e-6f) {
    }
    const std::vector<double> &u = fine.result();
    std::printf("middle %.6f, norm %.6f\n", u[32], norm(u.data(), 65)); // x * (1 - x) has 0.25 in the middle
    std::printf("coarse %.4f\n", coarse.result()[4]);
}
