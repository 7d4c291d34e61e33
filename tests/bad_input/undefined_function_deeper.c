int elsewhere(int x);
static int helper(int x)
{
    return 1 + elsewhere(x);
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = helper(n);
    return n;
}
// expect: error 4:16 "elsewhere"
