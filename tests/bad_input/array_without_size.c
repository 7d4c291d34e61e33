extern int a[], b[];
int f(void)
{
    int r;
#pragma omp target map(from: r) map(to: a[0:2])
    r = a[1] + b[1];
    return r;
}
#pragma omp declare target link(b)
// expect: error 6:16 "'b' is an array whose size is not known here"
