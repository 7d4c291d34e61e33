#include <complex.h>
double f(void)
{
    double result = 0;
#pragma omp target map(from: result)
    {
        long double _Complex z = 1.0;
        result = (double)(z * z);
    }
    return result;
}
// expect: error 7:30 "_Complex"
