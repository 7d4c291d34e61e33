extern int elsewhere, mapped;
int used(void) { return elsewhere; }
int f(int n)
{
    extern int in_block;
#pragma omp declare target enter(in_block)
#pragma omp target map(tofrom: n)
    n = used() + in_block + mapped;
    return n;
}
// expect: error 2:25 "'elsewhere' is used in device code but has no definition in this unit"
// expect: error 8:18 "'in_block' is used in device code but has no definition in this unit"
