void f(int n, double *a)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(&: sum) map(to: a[0:n])
    for (int i = 0; i < n; ++i)
        sum += a[i];
    a[0] = sum;
}
// expect: error 4:63 "'&' has no meaning for 'sum' of type 'double'"
