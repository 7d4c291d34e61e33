int f(int *p, int x)
{
#pragma omp target map(tofrom: x) is_device_ptr(p) firstprivate(x)
    x = p[0];
#pragma omp target is_device_ptr(p) has_device_addr(p)
    p[0] = x;
    return x;
}
// expect: error 3:32 "'x' is in a 'map' and in a 'firstprivate' clause of one 'target'"
// expect: error 5:53 "'p' is in a 'is_device_ptr' and in a 'has_device_addr' clause of one 'target'"
