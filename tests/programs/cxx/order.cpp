// order(concurrent) and the loop construct.
#include "check.hpp"

int main()
{
    double a[64], b[64] = {};
#pragma omp target teams distribute parallel for order(concurrent) map(from: a)
    for (int i = 0; i < 64; ++i)
        a[i] = i;
#pragma omp target teams loop order(concurrent) map(to: a) map(tofrom: b)
    for (int i = 0; i < 64; ++i)
        b[i] += a[i];
#pragma omp target teams map(to: a) map(tofrom: b)
#pragma omp loop bind(teams)
    for (int i = 0; i < 64; ++i)
        b[i] += a[i];
#pragma omp target parallel loop map(tofrom: b)
    for (int i = 0; i < 64; ++i)
        b[i] *= 2;
    double s = 0;
#pragma omp target map(to: b) map(tofrom: s)
#pragma omp loop bind(thread) reduction(+: s)
    for (int i = 0; i < 64; ++i)
        s += b[i];
    check("sum", s, 4 * 2016.0);
    return report();
}
