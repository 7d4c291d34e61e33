int f(int *p, int n)
{
    int a = 0, b = 0;
#pragma omp target parallel for firstprivate(n, n) reduction(+: a) private(b) map(tofrom: p[0:n])
    for (int i = 0; i < n; i++)
        a += p[i];
#pragma omp target data use_device_ptr(p) use_device_ptr(p) map(tofrom: p[0:n])
    a += p[0];
    return a;
}
// expect: error 4:49 "'n' appears more than once in 'firstprivate' clauses"
// expect: error 7:58 "'p' appears more than once in 'use_device_ptr' clauses"
