float f(_Float16 *x, int n)
{
    _Float16 host = x[0] * 2;
#pragma omp target parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = 1;
    return host;
}
// expect: error 6:9 "the type '_Float16' is not supported"
