void f(int *a)
{
    int i = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:100])
    while (i < 100)
        a[i++] = 0;
}
// expect: error 5:5 "loop"
