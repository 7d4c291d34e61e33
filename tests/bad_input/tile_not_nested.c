void f(int n, int a[n][n])
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp tile sizes(2, 2)
    for (int i = 0; i < n; ++i) {
        a[i][0] = 0;
        for (int j = 1; j < n; ++j)
            a[i][j] = 1;
    }
}
// expect: error 4:1 "a loop transformation needs 2 perfectly nested loops here"
