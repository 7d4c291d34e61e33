static int twice(int n)
{
    return 2 * n;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        int (*function)() = twice;
        n = function(n);
    }
    return n;
}
// expect: error 10:13 "a call with arguments through a pointer without a prototype is not supported"
