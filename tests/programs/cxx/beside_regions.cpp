// Directives of the host beside regions, if clauses, device clauses, nowait, and loop constructs.
#include "check.hpp"
#include <omp.h>
#include <string>
#include <iostream>
#include <memory>

struct Noisy {
    std::string name;
    explicit Noisy(const char *text) : name(text) { std::cout << "made " << name << "\n"; }
    ~Noisy() { std::cout << "gone " << name << "\n"; }
};

static Noisy global("global"); // its constructor runs once, not again in a device image

template <class T>
static T host_sum(const T *x, int n)
{
    T total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; ++i)
        total += x[i];
    return total;
}

int main(int argc, char **)
{
    auto pointer = std::make_unique<int[]>(100);
    int *a = pointer.get();
    for (int i = 0; i < 100; ++i)
        a[i] = i;
    check("a loop of the host", host_sum(a, 100), 4950);
    int here = 0;
#pragma omp target if(argc > 5) map(from: here)
    here = omp_is_initial_device();
    check("if", here, 1);
#pragma omp target teams loop map(tofrom: a[:100])
    for (int i = 0; i < 100; ++i)
        a[i] += 1;
    check("loop", a[99], 100);
#pragma omp target parallel for simd map(tofrom: a[:100]) device(omp_get_default_device()) num_threads(16)
    for (int i = 0; i < 100; ++i)
        a[i] += 1;
    check("parallel for", a[99], 101);
#pragma omp target teams distribute num_teams(4) thread_limit(32) map(tofrom: a[:100]) nowait
    for (int i = 0; i < 100; ++i)
        a[i] += 1;
#pragma omp taskwait
    check("distribute", a[99], 102);
#pragma omp target teams map(tofrom: a[:100]) num_teams(2)
    {
#pragma omp distribute parallel for simd collapse(2) schedule(static, 1)
        for (int i = 0; i < 10; ++i)
            for (int j = 0; j < 10; ++j)
                a[i * 10 + j] += 1;
    }
    check("a nested construct", a[99], 103);
    return report();
}
