int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        int twice(int x)
        {
            return 2 * x;
        }
        n = twice(n);
    }
    return n;
}
// expect: error 5:13 "nested function 'twice' is not supported"
