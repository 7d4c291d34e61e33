int f(int *a)
{
#pragma omp declare target
    static int calls;
#pragma omp end declare target
#pragma omp target map(tofrom: a[0:1])
    a[0] = ++calls;
    return calls;
}
// expect: error 3:13 "'declare target' around declarations of a block is not supported"
