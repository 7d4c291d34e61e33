int f(int n)
{
#pragma omp target map(tofrom: n)
    n += 1;
    return n;
}
[[deprecated(f]]; int a;
// expect: error 7:14 "expected string literal"
