struct three {
    char c[3];
};
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        _Atomic struct three t;
        n += sizeof t;
    }
    return n;
}
// expect: error 8:30 "'_Atomic struct three', which no hardware changes at once, is not supported in device code"
