int f(int *a)
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:9]) reduction(/: sum)
    for (int i = 0; i < 9; ++i)
        sum += a[i];
    return sum;
}
int g(int *a)
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(to: a[0:9]) reduction(<<: sum)
    for (int i = 0; i < 9; ++i)
        sum += a[i];
    return sum;
}
// expect: error 4:76 ""
// expect: error 12:76 ""
