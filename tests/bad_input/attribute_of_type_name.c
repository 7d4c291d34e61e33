int f(int n)
{
#pragma omp target map(tofrom: n)
    n = sizeof(int [[gnu::vector_size(16)]]);
    return n;
}
// expect: error 4:16 "'[[gnu::vector_size(16)]]' in the name of a type is not supported"
