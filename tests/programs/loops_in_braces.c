/* Loops of constructs in braces of their own, which gcc 12 does not take: in regions, inside of them, and on the host. */
// reference: -Wno-unknown-pragmas
#include "check.h"

int main(void)
{
    int a[10], b[10], c[4] = {0}, s = 0;

#pragma omp target parallel for map(from: a)
    {
        { /* twice */
            for (int j = 0; j < 10; j++)
                a[j] = j;
        }
    }
#pragma omp target teams num_teams(2) map(tofrom: a) map(from: b)
    {
#pragma omp distribute parallel for
        { for (int j = 0; j < 10; j++) { a[j] += j; b[j] = a[j] + 1; } }
    }
#pragma omp target teams map(tofrom: c)
#pragma omp distribute simd
    {
        for (int i = 0; i < 4; ++i)
            c[i] += 1;
    }
#pragma omp parallel for reduction(+: s)
    {
        for (int j = 0; j < 10; j++)
            s += a[j];
        /* the end */
    }
    CHECK(a[3] == 6);
    CHECK(b[4] == 9);
    CHECK(c[3] == 1);
    CHECK(s == 90);
    return CHECK_RESULT();
}
