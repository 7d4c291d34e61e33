void f(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:100])
    for (int i = 0; i < 100; ++i) {
        a[i] = 0;
        i += 1;
    }
}
// expect: error 6:9 "'i'"
