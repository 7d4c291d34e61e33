int f(int *a, int n)
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp parallel for private(n)
    for (int i = 0; i < n; ++i)
        a[i] += n = i;
    return n;
}
// expect: error 5:25 "the head of this loop reads 'n', whose private copy has no value yet"
