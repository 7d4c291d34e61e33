double f(double x, double _Complex z)
{
#pragma omp target map(tofrom: x)
    {
#pragma omp atomic
        x *= z;
    }
    return x;
}
// expect: error 6:9 "an atomic update of a real number by a complex one is not supported"
