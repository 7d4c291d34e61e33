int f(double _Complex *z)
{
    _Complex int host = 1 + 2i;
    *z += host;
#pragma omp target map(tofrom: z[0:1])
    *z += 2i;
    return __real__ host;
}
// expect: error 6:11 "constants of type 'int _Complex' are not supported"
