static int v(int *p, int n, void *o) { return p[n] + (o != 0); }
#pragma omp declare variant(v) match(construct={dispatch}) append_args(interop(targetsync))
int b(int *p, int n);
int use(int *a, int n) {
#pragma omp target map(tofrom: a[0:1])
 {
#pragma omp dispatch
 a[0] = b(a, n); }
 return 0; }
// expect: error 7:13 "'v' gets interoperability objects, which only host code has"
