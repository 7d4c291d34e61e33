void f(int *a)
{
    int x = 5, y = 7;
#pragma omp target parallel for collapse(2) linear(x: 1) map(tofrom: a[0:60])
    for (int i = 0; i < 5; ++i) {
        a[i] = 0;
        for (int j = 0; j < 12; ++j)
            a[i * 12 + j] += x;
    }
#pragma omp target
#pragma omp simd linear(y) collapse(2)
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 12; ++j)
            a[i * 12 + j] += y;
}
// expect: error 4:45 "'linear' and 'collapse' of loops with code between them are not supported together"
