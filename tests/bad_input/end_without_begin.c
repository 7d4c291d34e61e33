int f(int n)
{
    return n;
}
#pragma omp end declare target
// expect: error 5:13 "end declare target"
