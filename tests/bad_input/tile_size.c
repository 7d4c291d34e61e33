void f(int n, int *a)
{
#pragma omp tile sizes(COLUMNS)
    for (int i = 0; i < n; ++i)
        a[i] = 1;
#pragma omp target map(tofrom: a[0:1])
    a[0] += 1;
}
// expect: error 3:24 "'COLUMNS' in 'sizes' is not declared"
