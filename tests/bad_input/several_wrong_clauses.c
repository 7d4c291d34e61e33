void f(int n, double *a)
{
#pragma omp target teams distribute parallel for map(to: c[0:n]) private(d) num_threads(g + 1)
    for (int i = 0; i < n; ++i)
        a[i] = 1;
}
// expect: error 3:58 "'c' is not declared"
// expect: error 3:74 "'d' is not declared"
// expect: error 3:89 "'g' is not declared"
