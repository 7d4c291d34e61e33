int count = 1;

int f(int *a)
{
    int count = 2;
#pragma omp target map(tofrom: a[0:1])
    {
        extern int count;
        a[0] += count;
    }
    return a[0] + count;
}
// expect: error 9:17 "'count' has to be mapped, but a local variable hides it where the region begins"
