int f(int x);
#pragma omp declare target(f) indirect device_type(nohost)
int g(int x) { return x; }
#pragma omp declare target enter(g) indirect(x)
int use(int *a) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = g(1);
 return 0; }
// expect: error 2:31 "'indirect' needs 'device_type(any)'"
