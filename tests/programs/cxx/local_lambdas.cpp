// Closures that are made inside of regions.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

int main()
{
    int a[20], k = 3;
#pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < 20; ++i) {
        auto square = [](int x) { return x * x; };
        auto more = [&](int x) { return square(x) + k; };
        auto copied = [k](auto x) { return x - k; };
        a[i] = more(i) + copied(i);
    }
    for (int i = 0; i < 20; ++i)
        check("a", a[i], i * i + i);
    return report();
}
