void f(int *a, int depth)
{
#pragma omp target teams distribute parallel for collapse(depth) map(tofrom: a[0:100])
    for (int i = 0; i < 100; ++i)
        a[i] = 0;
}
// expect: error 3:50 "collapse"
