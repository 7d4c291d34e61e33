void f(int a[4][6])
{
#pragma omp target teams distribute parallel for reduction(+: a[1:2][2:3])
    for (int i = 0; i < 9; ++i)
        a[1][2] += i;
}
// expect: error 3:63 "'a[1:2][2:3]'"
