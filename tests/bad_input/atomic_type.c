struct pair {
    int a, b;
};
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        _Atomic struct pair p;
        n += sizeof p;
    }
    return n;
}
// expect: error 8:29 "'_Atomic struct pair', which no hardware changes at once, is not supported in device code"
