void f(int n, int **list)
{
#pragma omp target teams distribute parallel for map(alloc: list[0:n])
    for (int i = 0; i < n; i++)
        list[i] = &i;
}
// expect: error 4:14 "the address of 'i' may reach other threads, which is not supported: it is the variable of an associated loop"
