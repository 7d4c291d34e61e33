void f(double *a)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:100])
    for (double x = 0; x < 100; x += 1)
        a[(int)x] = 0;
}
// expect: error 4:17 "loop variable"
