void f(int n, double a[n][n])
{
#pragma omp target
#pragma omp interchange permutation(2, 3)
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            a[i][j] = 0;
}
// expect: error 4:1 "'permutation' takes the numbers of the loops"
