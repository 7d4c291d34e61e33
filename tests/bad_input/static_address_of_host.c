int f(int *a)
{
    static int calls, *where = &calls;
#pragma omp declare target to(where)
#pragma omp target map(tofrom: a[0:1])
    a[0] = ++*where;
    return calls;
}
// expect: error 3:33 "'calls', whose address 'where' holds, is not on the device"
