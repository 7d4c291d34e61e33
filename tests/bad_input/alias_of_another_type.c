int plain(int x)
{
    return x;
}
int weak(int) __attribute__((weak, alias("plain")));
long other(int) __attribute__((alias("plain")));
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = weak(n) + (int)other(n);
    return n;
}
// expect: error 10:9 "'weak' is used in device code but has no definition in this unit"
// expect: error 10:24 "'other' is used in device code but has no definition in this unit"
