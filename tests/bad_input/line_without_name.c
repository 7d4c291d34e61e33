void f(int *a)
{
#line 7 ""
#pragma omp target map(from: a[0:1])
    a[0] = 1;
}
// expect: error 3:1 "'#line' with an empty file name is not supported"
