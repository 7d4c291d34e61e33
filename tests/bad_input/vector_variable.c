float f(float x)
{
    float __attribute__((vector_size(16))) a = {x}, b = a + a;
    x = b[0];
#pragma omp target map(tofrom: x)
    x += b[0];
    return x;
}
// expect: error 6:10 "'b' is a vector, which is not supported"
