int f(int n, int a[n][n])
{
    static int (*rows)[n];
#pragma omp declare target to(rows)
#pragma omp target map(tofrom: a[0:n][0:n])
    a[0][0] = rows != 0;
    return a[0][0];
}
// expect: error 4:31 "'rows' has a type of variable size"
