void f(int *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = -0.5; i < n; i++) /* begins with 0 */
        a[i] = 1;
}
// expect: error 4:19 "a start that is no integer is not canonical"
