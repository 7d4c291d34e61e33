#define REX_KERNEL_FLAG_STRICT 3
#ifdef NEVER
#define rex_blocks 3
#endif

void f(int *a)
{
#pragma omp target map(tofrom: a[0:4])
    a[0] = REX_KERNEL_FLAG_STRICT;
}
// expect: error 1:9 "the macro 'REX_KERNEL_FLAG_STRICT' has a name that generated code uses for something else"
