int f(int *a)
{
    static int calls;
#pragma omp declare target link(calls)
#pragma omp target map(tofrom: a[0:1], calls)
    a[0] = ++calls;
    return calls;
}
// expect: error 4:33 "'calls' is a variable of a function, for which 'link' is not supported"
