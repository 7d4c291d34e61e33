void f(int n, int x)
{
#pragma omp target teams distribute parallel for firstprivate(x) lastprivate(x)
    for (int i = 0; i < n; i++)
        x += i;
}
// expect: error 3:78 "'x' cannot be in 'firstprivate' and 'lastprivate' of a construct with 'distribute'"
