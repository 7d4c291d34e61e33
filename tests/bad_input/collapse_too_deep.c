void f(int *a)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:100])
    for (int i = 0; i < 100; ++i)
        a[i] = 0;
}
// expect: error 5:9 "nested loops"
