int v(int n, void *object);
#pragma omp declare variant(v) match(construct={dispatch}) append_args(interop(prefer_type("cuda")))
int b(int n);
int use(int *a) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = 1;
 return b(1); }
// expect: error 2:60 "expected 'interop' with 'target' or 'targetsync'"
