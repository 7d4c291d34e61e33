void f(int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n - i; i++)
        a[i] = 1;
}
// expect: error 4:29 "a loop whose head computes with its variable 'i' is not canonical"
