struct none {
};
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        struct none several[2];
        n += several + 1 == several;
    }
    return n;
}
// expect: error 7:21 "'several', which has no size, is not supported in device code"
