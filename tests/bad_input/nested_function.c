static int add(int x)
{
    return x + 1;
}
int f(int n)
{
    int twice(int x)
    {
        return 2 * add(x);
    }
    n = twice(n);
#pragma omp target map(tofrom: n)
    n = twice(n);
    return n;
}
// expect: error 13:9 "the nested function 'twice' cannot be called in device code"
