#include "there_is_no_such_header.h"
int f(int n)
{
#pragma omp target map(tofrom: n)
    n += 1;
    return n;
}
// expect: error 1:10 "there_is_no_such_header.h"
