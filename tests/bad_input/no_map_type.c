int f(int n)
{
#pragma omp target map(tofron: n)
    n += 1;
    return n;
}
// expect: error 3:24 "tofron"
