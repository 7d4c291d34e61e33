static int next(int n)
{
there:
    if (n++ < 4)
        goto *(&&there + 0);
    return n;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = next(n);
    return n;
}
// expect: error 5:9 "a computed 'goto' is not supported"
