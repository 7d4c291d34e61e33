static int next(int *n)
{
    return ++*n;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        __asm__ volatile("" : "+r"(n) : : "memory");
        __asm__ volatile("" : : "r"(next(&n)));
    }
    return n;
}
// expect: error 10:9 "inline assembly"
