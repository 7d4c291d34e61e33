void f(int n, int *a)
{
#pragma omp parallel for ordered
    for (int i = 1; i < n; ++i) {
#pragma omp ordered doacross(source: i)
        a[i] = 0;
    }
#pragma omp target map(tofrom: a[0:n])
    a[0] = 1;
}
// expect: error 5:38 "'source' in 'doacross' clause takes no list"
