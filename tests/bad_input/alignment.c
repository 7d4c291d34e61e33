void f(int *a)
{
    double x = 1;
#pragma omp allocate(x) align(8.0)
#pragma omp target map(tofrom: a[0:1])
    a[0] += x;
}
// expect: error 4:25 "the alignment '8.0' is not a constant power of two"
