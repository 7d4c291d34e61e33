void f(int *a)
{
#pragma omp target map(tofrom: a[0:1])
    {
        extern int count;
        a[0] += count;
    }
}

int count = 1;
// expect: error 6:17 "'count' has to be mapped, but is not declared before the region"
