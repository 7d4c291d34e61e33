// Every schedule runs each iteration once.
#include "check.hpp"

int main()
{
    int a[101] = {}, chunk = 7;
#pragma omp target teams distribute parallel for schedule(static, 3) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 1;
#pragma omp target teams distribute parallel for dist_schedule(static, chunk) schedule(static, 1) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 2;
#pragma omp target parallel for schedule(dynamic) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 4;
#pragma omp target parallel for schedule(guided, chunk) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 8;
#pragma omp target parallel for schedule(nonmonotonic: dynamic, 2) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 16;
#pragma omp target parallel for schedule(runtime) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 32;
#pragma omp target teams distribute dist_schedule(static, 5) map(tofrom: a)
    for (int i = 0; i < 101; ++i)
        a[i] += 64;
    for (int v : a)
        check("once", v, 127);
    return report();
}
