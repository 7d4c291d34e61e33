int f(int *a)
{
#pragma omp targets map(tofrom: a[0:1])
    a[0] = 1;
#pragma omp target map(tofrom: a[0:1])
    a[0] += 1;
    return a[0];
}
// expect: error 3:13 "targets"
