int elsewhere(int x);
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = elsewhere(n);
    return n;
}
// expect: error 5:9 "elsewhere"
