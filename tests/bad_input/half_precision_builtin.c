int f(_Float16 x)
{
#pragma omp target map(tofrom: x)
    x = __builtin_fabsf16(x);
    return x;
}
// expect: error 4:9 "'__builtin_fabsf16' is not available in device code"
