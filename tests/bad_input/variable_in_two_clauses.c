int f(int n)
{
#pragma omp target firstprivate(n) map(tofrom: n)
    n += 1;
#pragma omp target map(n) has_device_addr(n)
    n += 1;
#pragma omp target private(n) has_device_addr(n)
    n = 1;
    return n;
}
// expect: error 3:48 "'n' is in a 'map' and in a 'firstprivate' clause"
// expect: error 5:24 "'n' is in a 'map' and in a 'has_device_addr' clause"
// expect: error 7:47 "'n' is in a 'private' and in a 'has_device_addr' clause"
