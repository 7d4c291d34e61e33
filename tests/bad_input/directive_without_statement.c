int f(int n)
{
    n += 1;
#pragma omp target map(tofrom: n)
}
// expect: error 4:13 "target"
