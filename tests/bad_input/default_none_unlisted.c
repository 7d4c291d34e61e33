void f(int *a, int n)
{
#pragma omp target teams distribute parallel for default(none) map(tofrom: a[0:9])
    for (int i = 0; i < n; ++i)
        a[i] = i;
}
// expect: error 4:25 "'n'"
