int v(int *p, int n);
#pragma omp declare variant(v) match(construct={dispatch}) adjust_args(need_device_ptr: q)
int b(int *p, int n);
int use(int *a, int n) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = 1;
#pragma omp dispatch
 b(a, n);
 return 0; }
// expect: error 2:89 "'q' is not a parameter of 'b'"
