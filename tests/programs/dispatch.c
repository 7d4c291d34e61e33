/* dispatch: the call goes to the variant for it, unless novariants or nocontext say otherwise. */
// reference: -fopenmp -foffload=disable -DREFERENCE
#include "check.h"

#ifndef REFERENCE /* gcc knows neither */
#pragma omp begin assumes no_openmp_routines
#endif
static int variant(int x) { return x + 20; }
#ifndef REFERENCE
#pragma omp end assumes
#pragma omp declare variant(variant) match(construct = {dispatch})
#endif
static int base(int x)
{
    return x + 1;
}

int main(void)
{
    int a = 0, b = 0, c = 0, d = 0, choose = 1;

#ifdef REFERENCE
    a = variant(5);
    b = base(5);
    c = base(6);
    d = variant(7);
#else
#pragma omp dispatch
    a = base(5);
#pragma omp dispatch novariants(choose > 0)
    b = base(5);
    c = base(6);
#pragma omp target map(from: d)
    {
#pragma omp dispatch
        d = base(7);
    }
#pragma omp dispatch nocontext(choose > 1) depend(inout: a)
    choose = base(choose);
    CHECK(choose == 21);
#endif
    CHECK(a == 25 && b == 6 && c == 7 && d == 27);
    return CHECK_RESULT();
}
