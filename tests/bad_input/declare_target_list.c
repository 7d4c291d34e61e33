static int scale = 3;
#pragma omp declare target(scale)
int f(int n)
{
#pragma omp target map(tofrom: n)
    n *= scale;
    return n;
}
// expect: error 2:13 "declare target"
