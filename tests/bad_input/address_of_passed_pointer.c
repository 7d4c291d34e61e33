void f(int n, int *values, int ***list)
{
#pragma omp target teams map(alloc: list[0:n])
    list[0] = &values;
}
// expect: error 1:19 "the address of 'values' may reach other threads, which is not supported: its value is passed"
