#include <stdio.h>
void f(FILE *log, int n)
{
#pragma omp target
    {
        fprintf(stderr, "%d\n", n);
        fprintf(log, "%d\n", n);
    }
}
// expect: error 7:9 "'fprintf' of the C library is not available in device code"
