void f(int *a)
{
    double x = 1;
#pragma omp target parallel firstprivate(x) allocate(align(3 * 4): x) map(tofrom: a[0:1])
    a[0] += x;
}
// expect: error 4:45 "the alignment '12' is not a constant power of two"
