static void done(int *p)
{
    *p = 0;
}
int f(int n)
{
    int host __attribute__((cleanup(done))) = n;
#pragma omp target map(tofrom: n)
    {
        int local __attribute__((cleanup(done))) = host;
        n += local;
    }
    return n;
}
// expect: error 10:13 "the attribute 'cleanup' of 'local' is not supported"
