void f(int n, int a[n][n])
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp tile sizes(2, 2)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            a[i][j] = 1;
}
// expect: error 4:1 "bounds of a loop to transform that depend on 'i' are not supported"
