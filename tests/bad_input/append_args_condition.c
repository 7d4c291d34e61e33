#include <omp.h>
int v(int n, void *object);
#pragma omp declare variant(v) match(construct={dispatch}) append_args(interop(target))
int b(int n);
int use(int *a) {
#pragma omp target map(tofrom: a[0:1])
 a[0] = 1;
#pragma omp dispatch novariants(a[0] > 1)
 a[0] = b(1);
 return a[0]; }
// expect: error 8:13 "a condition on the call of 'v', which has 'append_args', is not supported"
