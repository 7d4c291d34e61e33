#include <omp.h>
int f(int n)
{
    omp_interop_t object;
#pragma omp target map(tofrom: n)
    n += 1;
#pragma omp interop init(prefer_type("cuda"): object)
    return n;
}
// expect: error 7:21 "expected 'target' or 'targetsync' and an object"
