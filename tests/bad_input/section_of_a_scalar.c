int f(int n)
{
#pragma omp target map(tofrom: n[0:2])
    n = 1;
    return n;
}
// expect: error 3:32 "n"
