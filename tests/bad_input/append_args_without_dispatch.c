int v(int n, void *object);
#pragma omp declare variant(v) match(construct={parallel}) append_args(interop(target))
int b(int n);
int use(int *a) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = 1;
 return b(1); }
// expect: error 2:60 "'append_args' without 'dispatch' among the constructs that 'match' names"
