int f(int *a)
{
    int here = 0;
#pragma omp declare target enter(here)
#pragma omp target map(tofrom: a[0:1])
    a[0] = ++here;
    return here;
}
// expect: error 4:34 "'here' is not static: its storage does not last"
