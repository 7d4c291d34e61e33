void f(int *a, unsigned long event)
{
#pragma omp target map(tofrom: a[0:4])
#pragma omp parallel
    {
#pragma omp task detach(event)
        a[0] = 1;
    }
}
// expect: error 6:18 "detach"
