static int f(int n)
{
    const void *const to[] = {&&a, &&b};
    int r = 0;
    if (to[n & 1] == &&a)
        r = 1;
a:
    r++;
b:
    return r;
}
int g(int n)
{
#pragma omp target map(tofrom: n)
    n = f(n);
    return n;
}
// expect: error 3:31 "'&&' is not supported in device code"
