int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        n = (n + 1;
    }
    return n;
}
// expect: error 5:19 "expected ')' before ';'"
// expect: error 5:20 ""
