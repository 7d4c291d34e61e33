int v(int *p, int n, void *o);
#pragma omp declare variant(v) match(construct={dispatch}) append_args(interop(targetsync))
int b(int *p, int n);
int use(int *a, int n) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = 1;
 return 0; }
// expect: error 2:60 "clause 'append_args' on 'declare variant' is not supported"
