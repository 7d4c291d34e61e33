int f(int n)
{
#pragma omp target firstprivate(n) map(tofrom: n)
    n += 1;
    return n;
}
// expect: error 3:48 "'n'"
