void f(int n, double *a)
{
#pragma omp target map(a[0:n])
    {
#pragma GCC diagnostic push
#pragma omp parallel for num_threads(g + 1)
        for (int i = 0; i < n; ++i)
            a[i] = 1;
    }
}
// expect: error 6:38 "'g' is not declared"
