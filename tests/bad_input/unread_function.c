static int host_only(int n)
{
    return n +;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = host_only(n);
    return n;
}
// expect: error 3:15 "expected expression"
