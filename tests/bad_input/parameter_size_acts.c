static int f(int n, int values[n++])
{
    return n + values[0];
}
int g(int n)
{
#pragma omp target map(tofrom: n)
    {
        int values[2] = {1, 2};
        n = f(n, values);
    }
    return n;
}
// expect: error 1:32 "the size of the parameter 'values', which acts or calls, is not supported in device code"
