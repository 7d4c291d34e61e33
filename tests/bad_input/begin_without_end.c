#pragma omp declare target
int f(int n)
{
    return n;
}
// expect: error 1:13 "declare target"
