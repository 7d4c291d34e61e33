void f(int n, double *a)
{
#pragma omp target parallel for num_threads(0) schedule(static, 0) map(a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] = 1;
#pragma omp target teams distribute parallel for simd num_teams(-1) thread_limit((0)) simdlen(0) map(a[0:n])
    for (int i = 0; i < n; ++i)
        a[i] = 1;
}
// expect: error 3:33 "'num_threads' takes a positive number"
// expect: error 3:48 "'schedule' takes a positive number"
// expect: error 6:55 "'num_teams' takes a positive number"
// expect: error 6:69 "'thread_limit' takes a positive number"
// expect: error 6:87 "'simdlen' takes a positive number"
