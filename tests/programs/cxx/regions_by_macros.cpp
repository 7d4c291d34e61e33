// Regions that macros make, with _Pragma and with names that macros replace.
#include "check.hpp"

#define TARGET_LOOP(clauses) _Pragma("omp target teams distribute parallel for map(tofrom: a[0:n])")
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#define SCALE 3
#define DO_PRAGMA(x) _Pragma(#x)
#define TILE 4
#define UNROLLED TILE
#define OFFLOAD(p, count) DO_PRAGMA(omp target teams distribute parallel for map(tofrom: p[0:count]))

template <class T>
void twice(T *a, int n)
{
    TARGET_LOOP()
    FOR(i, n) a[i] *= 2;
    OFFLOAD(a, n)
    FOR(i, n)
    {
        a[i] += SCALE;
    }
}

// The compilers of host and device expand macros in these pragmas, or ignore them.
template <int Count>
int unrolled(int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    FOR(i, n)
    {
#pragma unroll(TILE)
        FOR(j, TILE) a[i] += j;
#pragma unroll UNROLLED
        FOR(j, TILE) a[i] += j;
#pragma unroll(Count)
        FOR(j, Count) a[i] += 1;
    }
    return a[n - 1];
}

int main()
{
    int a[10];
    FOR(i, 10) a[i] = i;
    twice(a, 10);
    check("a", a[9], 21);
    check("unrolled", unrolled<2>(a, 10), 35);
    return report();
}
