void f(int n)
{
#pragma omp target
    if (n > 3)
        __builtin_exit(n);
}
// expect: error 5:9 "'__builtin_exit' is not available in device code"
