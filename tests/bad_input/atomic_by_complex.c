double f(double x, double _Complex z)
{
#pragma omp target map(tofrom: x)
    {
#pragma omp atomic
        x *= z;
    }
    return x;
}
// expect: error 6:14 "an atomic update of a 'double' by a complex number is not supported"
