void f(int n, int *a)
{
    typedef int row[n];
    n = 1;
#pragma omp target map(tofrom: a[0:1])
    {
        row w;
        int n = 2;
        w[2] = n;
        a[0] = w[2];
    }
#pragma omp target map(tofrom: a[0:1])
    a[0] = sizeof(row);
}
// expect: error 7:13 "a type whose length only the run knows, declared outside of the region, is not supported"
