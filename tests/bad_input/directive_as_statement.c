int q;
int f(int n)
{
#pragma omp target map(tofrom: n)
#pragma omp error at(compilation) severity(warning)
    n += 1;
    return n;
}
// expect: error 4:13 "'target' must be followed by a statement"
