struct narrow {
    int f : 3;
};
void f(int n, int *x)
{
    struct narrow s = {0};
#pragma omp target map(from: x[0:1])
    x[0] = __builtin_add_overflow_p(n, 1, s.f);
}
// expect: error 8:43 "'__builtin_add_overflow_p' with a bit-field is not supported in device code"
