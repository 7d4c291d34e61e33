int f(int *a)
{
    static _Thread_local int own;
#pragma omp declare target to(own)
#pragma omp target map(tofrom: a[0:1])
    a[0] = own;
    return 0;
}
// expect: error 3:30 "'own' is thread-local, which device code does not support"
