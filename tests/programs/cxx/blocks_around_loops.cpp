// Loops of constructs in braces of their own, which gcc 12 does not take: in regions, inside of them, and on the host.
// reference: -Wno-unknown-pragmas
#include "check.hpp"

template <class T>
T total(const T *x, int n)
{
    T s = 0;
#pragma omp target teams distribute parallel for map(to: x[0:n]) reduction(+: s)
    {
        { // twice
            for (int i = 0; i < n; ++i)
                s += x[i];
        }
    }
    return s;
}

int main()
{
    int a[10], b[10], s = 0;
#pragma omp target parallel for map(from: a)
    {
        for (int j = 0; j < 10; j++)
            a[j] = j;
    }
#pragma omp target teams num_teams(2) map(tofrom: a) map(from: b)
    {
#pragma omp distribute parallel for
        { for (int j = 0; j < 10; j++) { a[j] += j; b[j] = a[j] + 1; } }
    }
#pragma omp parallel for reduction(+: s)
    {
        for (int j = 0; j < 10; j++)
            s += a[j];
        // the end
    }
    check("region", a[3], 6);
    check("inside", b[4], 9);
    check("host", s, 90);
    check("template", total(a, 10), 90);
    return report();
}
