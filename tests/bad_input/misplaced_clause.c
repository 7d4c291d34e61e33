int f(int n)
{
#pragma omp target map(tofrom: n) schedule(static)
    n += 1;
    return n;
}
// expect: error 3:35 "schedule"
