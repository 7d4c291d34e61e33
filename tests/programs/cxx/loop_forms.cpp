// Loops of constructs in every canonical form.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

int main()
{
    int a[40] = {}, n = 40, step = 3;
#pragma omp target parallel for map(tofrom: a)
    for (int i = n - 1; i >= 0; i--)
        a[i] += 1;
#pragma omp target parallel for map(tofrom: a)
    for (unsigned i = 0; i != 40u; i += 1)
        a[i] += 1;
#pragma omp target parallel for map(tofrom: a)
    for (long i = 1; n > i; i = i + step)
        a[i] += 10;
#pragma omp target parallel for map(tofrom: a)
    for (long i = 39; 0L < i; i = i - step)
        a[i] += 100;
#pragma omp target teams distribute parallel for map(tofrom: a)
    for (int *p = a; p < a + 40; ++p)
        *p += 1000;
    std::size_t count = 0;
#pragma omp target teams distribute parallel for map(tofrom: count) reduction(+: count)
    for (auto i = std::size_t{0}; i <= std::size_t(n); i += 2)
        ++count;
    int j;
#pragma omp target parallel for map(tofrom: a) private(j)
    for (j = 0; j < n; j++)
        a[j] += 10000;
    for (int i = 0; i < 40; ++i)
        check("a", a[i], 11002 + 10 * (i >= 1 && (i - 1) % 3 == 0) + 100 * (i > 0 && (39 - i) % 3 == 0));
    check("count", count, std::size_t(21));
    signed char sc[100] = {};
#pragma omp target parallel for map(tofrom: sc)
    for (signed char i = 0; i < 100; ++i)
        sc[i] = i;
    check("char", int(sc[99]), 99);
    return report();
}
