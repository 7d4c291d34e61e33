#include <math.h>
int f(_Float16 x)
{
    int normal = 0;
#pragma omp target map(from: normal)
    normal = isnormal(x);
    return normal;
}
// expect: error 6:23 "'__builtin_isnormal' of a '_Float16' is not supported in device code"
