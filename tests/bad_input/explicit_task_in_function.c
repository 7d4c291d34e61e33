#include <omp.h>
static int asks(void)
{
    return omp_in_explicit_task();
}
int f(void)
{
    int n = 0;
#pragma omp target map(from: n)
#pragma omp task shared(n)
    n = asks();
    return n;
}
// expect: error 4:12 "'omp_in_explicit_task' in a function is not supported where device code has tasks"
