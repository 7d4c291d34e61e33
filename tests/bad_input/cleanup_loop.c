static void done(int *p)
{
    *p = 0;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    for (int i __attribute__((cleanup(done))) = 0; i < n; i++)
        n--;
    return n;
}
// expect: error 8:14 "the attribute 'cleanup' of 'i', which a loop declares, is not supported"
