int f(int *a)
{
#pragma omp target for map(tofrom: a[0:1])
    for (int i = 0; i < 1; ++i)
        a[i] = 1;
    return a[0];
}
// expect: error 3:20 "'for' cannot be combined with 'target'"
