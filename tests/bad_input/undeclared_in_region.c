int f(int n)
{
#pragma omp target map(tofrom: n)
    n = m + 1;
    return n;
}
// expect: error 4:9 "'m'"
