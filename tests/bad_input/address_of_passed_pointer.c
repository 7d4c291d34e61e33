void f(int n, int *values, int ***list)
{
#pragma omp target teams distribute parallel for map(alloc: list[0:n])
    for (int i = 0; i < n; i++)
        list[i] = &values;
}
// expect: error 1:20 "the address of 'values' may reach other threads, which is not supported: its value is passed"
