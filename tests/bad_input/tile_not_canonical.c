void f(int n, int *a)
{
#pragma omp tile sizes(2)
    for (int i = 1; i < n; i *= 2)
        a[i] = 1;
}
// expect: error 4:5 "this loop to transform is not canonical"
