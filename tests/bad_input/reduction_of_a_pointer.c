void f(int *a)
{
#pragma omp target teams distribute parallel for map(to: a[0:9]) reduction(+: a)
    for (int i = 0; i < 9; ++i)
        a += i;
}
// expect: error 3:79 "'a'"
