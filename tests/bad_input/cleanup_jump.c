static void done(int *p)
{
    *p = 0;
}
int f(int n)
{
    int host __attribute__((cleanup(done))) = n;
    for (int i __attribute__((cleanup(done))) = 0; i < n; i++)
        n--;
#pragma omp target map(tofrom: n)
    {
        if (n > host)
            goto past;
        int local __attribute__((cleanup(done)));
        local = 1;
        n += local;
    past:;
    }
    return n;
}
// expect: error 14:13 "a jump past the declaration of 'local', which has a clean-up, is not supported"
