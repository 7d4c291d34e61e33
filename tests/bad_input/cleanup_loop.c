static void done(int *p)
{
    *p = 0;
}
int f(int n)
{
#pragma omp target parallel for map(tofrom: n)
    for (int i __attribute__((cleanup(done))) = 0; i < 10; i++)
        n--;
    return n;
}
// expect: error 8:14 "a loop variable with the attribute 'cleanup' is not canonical"
