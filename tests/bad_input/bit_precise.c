int f(void)
{
    int n;
#pragma omp target map(from: n)
    {
        unsigned _BitInt(7) a = 127;
        n = a;
    }
    return n;
}
// expect: error 6:26 "'_BitInt' is not supported"
