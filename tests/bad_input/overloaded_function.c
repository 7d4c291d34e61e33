static int __attribute__((overloadable)) f(int x) { return x; }
static int __attribute__((overloadable)) f(double x) { return 100 + (int)x; }
int g(void)
{
    int n;
#pragma omp target map(from: n)
    n = f(1) + f(2.0);
    return n;
}
// expect: error 2:42 "conflicting types for 'f'"
