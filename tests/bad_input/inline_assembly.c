int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        __asm__ volatile("nop");
        n += 1;
    }
    return n;
}
// expect: error 5:9 ""
