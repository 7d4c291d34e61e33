#pragma omp declare mapper(int v) map(v)
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = 3;
    return n;
}
// expect: error 1:13 "'int' is not a structure or union type"
