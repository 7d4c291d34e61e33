int f(int *a)
{
    int count(void)
    {
        static int calls;
#pragma omp declare target to(calls)
        return ++calls;
    }
#pragma omp target map(tofrom: a[0:1])
    a[0] = 1;
    return count();
}
// expect: error 6:31 "'calls' belongs to a nested function"
