#include <omp.h>
static int asks(void)
{
    return omp_in_final();
}
int f(void)
{
    int n = 0;
#pragma omp target map(from: n)
#pragma omp task shared(n) final(1)
    n = asks();
    return n;
}
// expect: error 4:12 "'omp_in_final' in a function is not supported where device code has final tasks: a call may be in one"
