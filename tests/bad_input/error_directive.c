#error this file cannot be built
int f(int n)
{
#pragma omp target map(tofrom: n)
    n += 1;
    return n;
}
// expect: error 1:2 "this file cannot be built"
