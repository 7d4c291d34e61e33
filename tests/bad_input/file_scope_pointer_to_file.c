#include <stdio.h>
int f(int n)
{
#pragma omp target map(tofrom: n)
    fprintf(stdin, "%d", n);
    return n;
}
// expect: error 5:13 ""
