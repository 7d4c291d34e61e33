void f(int *a)
{
    int rex_apart = 4;
#pragma omp target map(tofrom: a[0:rex_apart])
    a[0] = 1;
}
// expect: error 3:9 "'rex_apart' has a name that generated code uses for something else"
