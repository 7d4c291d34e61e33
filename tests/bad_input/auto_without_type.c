int f(int n)
{
    auto x = 2.5;
#pragma omp target map(tofrom: n)
    n += x;
    return n;
}
// expect: error 5:10 "'x' has no type: 'int' before C23, that of its initialiser since"
