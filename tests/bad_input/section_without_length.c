void f(int *a)
{
#pragma omp target map(tofrom: a[2:])
    a[2] = 1;
}
// expect: error 3:32 "length"
