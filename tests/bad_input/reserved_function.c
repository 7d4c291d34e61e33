static int rex_threads(int n)
{
    return n;
}

void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
    a[0] = rex_threads(1);
}
// expect: error 1:12 "'rex_threads' has a name that generated code uses for something else"
