#define REX_MIN(a, b) ((a) < (b) ? (a) : (b))
#ifdef NEVER
#define rex_blocks 3
#endif

void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
    a[0] = REX_MIN(1, 2);
}
// expect: error 1:9 "the macro 'REX_MIN' has a name that generated code uses for something else"
