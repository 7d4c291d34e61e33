// Static functions and variables, volatile, const globals with dynamic initialisation, arrays of structures of arrays.
#include "check.hpp"
#include <cmath>

static const double kHalfPi = std::acos(0.0);
static double table[32];
static volatile int ticks = 3;
struct SoA
{
    float x[8][4];
    struct
    {
        int n;
        double w;
    } meta;
};
static SoA store[3];

static void init()
{
#pragma omp target teams distribute parallel for map(from : table)
    for (int i = 0; i < 32; i++)
        table[i] = std::sin(kHalfPi * i);
}

int main()
{
    init();
    for (int i = 0; i < 32; i++)
        check("sin", std::fabs(table[i] - std::sin(kHalfPi * i)) < 1e-12, true);
    int t = 0;
#pragma omp target map(tofrom : t)
    t = ticks * 2;
    check("ticks", t, 6);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : store)
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 4; j++)
                store[s].x[i][j] = s * 100 + i * 10 + j;
#pragma omp target map(tofrom : store[1].meta)
    {
        store[1].meta.n = 4;
        store[1].meta.w += 2.5;
    }
    check("x", store[2].x[7][3], 273.f);
    check("n", store[1].meta.n, 4);
    check("w", store[1].meta.w, 2.5);
    return report();
}
