int f(int *a, int n, int first)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) private(first)
    for (int i = first; i < n; ++i) {
        first = i;
        a[i] += first;
    }
    return n;
}
// expect: error 4:18 "the head of this loop reads 'first', whose private copy has no value yet"
