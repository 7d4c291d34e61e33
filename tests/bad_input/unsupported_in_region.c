void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
#pragma omp parallel
    {
#pragma omp cancel parallel
        a[0] = 1;
    }
}
// expect: error 6:13 "cancel"
