int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        int scratch[n];
        scratch[0] = n;
        n = scratch[0] + 1;
    }
    return n;
}
// expect: error 5:13 "scratch"
