double f(double x)
{
    _Decimal64 host = 1.1dd;
#pragma omp target map(tofrom: x)
    x = host;
    return x;
}
// expect: error 5:9 "the type '_Decimal64' is not supported"
