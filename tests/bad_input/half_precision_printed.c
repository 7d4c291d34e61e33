#include <stdio.h>
void f(_Float16 *x)
{
#pragma omp target map(tofrom: x[0:1])
    {
        *x = 1;
        printf("%f\n", *x);
    }
}
// expect: error 7:25 "printing a '_Float16' that is not cast to double is not supported in device code"
