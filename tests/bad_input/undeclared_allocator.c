int f(int n)
{
#pragma omp target map(tofrom: n) uses_allocators(mine)
    n++;
    return n;
}
// expect: error 3:35 "'mine' in 'uses_allocators' is not declared"
