int f(int *a)
{
    static int calls;
    int here = 0;
    extern int elsewhere;
#pragma omp declare target enter(calls)
#pragma omp target map(tofrom: a[0:1])
    a[0] = ++calls + here + elsewhere;
    return calls;
}
// expect: error 6:34 "'calls' is a variable of a function: declare it at file scope to have it on the device"
