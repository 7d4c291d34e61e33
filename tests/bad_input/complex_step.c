void f(int n, int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (long i = 0; i < n; i += n / 2i)
        a[i] = 1;
}
// expect: error 4:34 "an increment that is no integer is not canonical"
