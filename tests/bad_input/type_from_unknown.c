int f(int n)
{
    __auto_type x = n + not_declared;
#pragma omp target map(tofrom: n)
    n += x;
    return n;
}
// expect: error 5:10 "'not_declared' is not declared"
