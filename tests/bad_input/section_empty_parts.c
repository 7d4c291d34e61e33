void f(int *a)
{
#pragma omp target map(tofrom: a[0::])
    a[0] = 1;
}
// expect: error 3:32 "length"
