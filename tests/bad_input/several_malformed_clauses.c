void f(int n, double *a)
{
#pragma omp target teams distribute parallel for collapse(0) map(tofrm: a[0:n]) schedule(sttic)
    for (int i = 0; i < n; ++i)
        a[i] = 1;
}
// expect: error 3:50 "'collapse' takes a positive number"
// expect: error 3:66 "tofrm"
// expect: error 3:90 "sttic"
