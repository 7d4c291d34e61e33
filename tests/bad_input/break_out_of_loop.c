void f(int *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:100])
    for (int i = 0; i < 100; ++i) {
        if (a[i] == 0)
            break;
        a[i] = 0;
    }
}
// expect: error 6:13 "break"
