int f(int n)
{
#pragma omp target map(tofrom: n
    n += 1;
    return n;
}
// expect: error 3:23 ""
