void f(int *a)
{
#pragma omp target parallel for num_threads(4) map(tofrom: a[0:9]) num_threads(8)
    for (int i = 0; i < 9; ++i)
        a[i] = i;
}
// expect: error 3:68 "num_threads"
