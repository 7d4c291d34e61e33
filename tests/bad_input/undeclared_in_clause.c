int f(int n)
{
#pragma omp target map(tofrom: n, m)
    n = 1;
    return n;
}
// expect: error 3:35 "'m'"
