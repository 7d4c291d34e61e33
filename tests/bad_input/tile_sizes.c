void f(int n, int *a)
{
#pragma omp tile sizes(0)
    for (int i = 1; i < n; ++i)
        a[i] = 1;
}
// expect: error 3:1 "'sizes' takes positive numbers"
