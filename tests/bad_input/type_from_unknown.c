int f(int n)
{
    __auto_type x = n + not_declared;
#pragma omp target map(tofrom: n)
    n += x;
    return n;
}
// expect: error 3:25 "'not_declared' undeclared"
// expect: error 5:10 "'x' undeclared"
