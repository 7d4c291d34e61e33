void f(int n, int **list)
{
    int last = 0;
#pragma omp target map(alloc: list[0:n])
#pragma omp teams distribute
    for (int k = 0; k < 2; k++) {
#pragma omp simd linear(last: 2)
        for (int i = 0; i < n; i++)
            list[last] = &i;
    }
}
// expect: error 8:18 "the address of 'i' may reach other threads, which is not supported: it is the variable of a loop with 'linear'"
