#include <stdio.h>
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = getchar();
    return n;
}
// expect: error 5:9 "getchar"
