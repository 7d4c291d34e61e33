static void done(int *p)
{
    *p = 0;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    switch (n) {
    case 1:;
        int local __attribute__((cleanup(done))) = 1;
        n += local;
    default:
        n = 2;
    }
    return n;
}
// expect: error 10:13 "a jump past the declaration of 'local', which has a clean-up, is not supported"
