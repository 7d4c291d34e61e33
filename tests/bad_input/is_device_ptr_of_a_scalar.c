int f(int n)
{
#pragma omp target is_device_ptr(n)
    n += 1;
    return n;
}
// expect: error 3:34 "'n'"
