inline int f(int *a)
{
    static const int least = 4;
#pragma omp declare target to(least)
#pragma omp target map(tofrom: a[0:1])
    a[0] = least;
    return least;
}
// expect: error 4:31 "'least' belongs to an inline function that is not static"
