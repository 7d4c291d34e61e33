int f(int *a)
{
    static int calls;
#pragma omp declare target enter(calls)
#pragma omp target map(tofrom: a[0:1])
    a[0] = ++calls;
    return calls;
}
// expect: error 4:13 "'declare target' inside a function is not supported"
