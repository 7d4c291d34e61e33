#include <stdio.h>
void f(int width, double x)
{
#pragma omp target
    printf("%.*f\n", width, x);
}
// expect: error 5:5 "a width or precision that only the run knows"
