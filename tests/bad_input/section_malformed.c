void f(int *a)
{
#pragma omp target map(tofrom: a[0:1:1:1])
    a[0] = 1;
}
// expect: error 3:39 "array section"
