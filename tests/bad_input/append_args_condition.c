#include <omp.h>
int v(int x, omp_interop_t object);
#pragma omp declare variant(v) match(construct={dispatch}) append_args(interop(target))
int b(int x);
int f(int x)
{
    int r;
#pragma omp dispatch novariants(x > 2)
    r = b(b(x));
    return r;
}
// expect: error 8:13 "a condition on the call of 'v', which has 'append_args', is not supported with variants in its arguments"
