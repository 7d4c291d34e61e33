void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
    {
#pragma omp target
        a[0] = 1;
    }
}
// expect: error 5:13 "target"
