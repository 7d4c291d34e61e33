void f(int *a)
{
#pragma omp target parallel for map(tofrom: a[0:100])
    for (int i = 1; i < 100; i *= 2)
        a[i] = 0;
}
// expect: error 4:30 "canonical"
