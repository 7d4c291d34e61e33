void f(int a[20][20])
{
#pragma omp target parallel for ordered(2) map(tofrom: a[0:20])
    for (int i = 1; i < 20; i++)
        for (int j = 0; j < 20; j++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
            a[i][j] = a[i - 1][j] + 2;
#pragma omp ordered doacross(source:)
        }
}
// expect: error 6:21 "'omp_cur_iteration - 1' is not supported in several loops"
