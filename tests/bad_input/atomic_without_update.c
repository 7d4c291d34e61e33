int f(int n)
{
#pragma omp target map(tofrom: n)
    {
#pragma omp atomic
        n = 3;
    }
    return n;
}
// expect: error 6:9 "atomic"
