float f(_Atomic float _Complex *z)
{
    float x = 0;
#pragma omp target map(tofrom: z[0:1], x)
    {
        x = __imag__ *z;
        __imag__ *z = 5;
    }
    return x;
}
// expect: error 7:9 "a change of a part of an object of type '_Atomic float _Complex' is not supported in device code"
