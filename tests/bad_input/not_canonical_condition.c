void f(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:9])
    for (int i = 0; a[i] > 0; ++i)
        a[i] = 0;
}
// expect: error 4:21 "canonical"
