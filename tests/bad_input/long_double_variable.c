long double f(long double x)
{
#pragma omp target map(tofrom: x)
    x *= 2;
    return x;
}
// expect: error 4:5 "long double"
