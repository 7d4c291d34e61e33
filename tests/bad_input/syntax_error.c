int f(int n)
{
    int x = n +;
#pragma omp target map(tofrom: n)
    n = x;
    return n;
}
// expect: error 3:16 "expected expression"
