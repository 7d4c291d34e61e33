int f(int n)
{
#pragma omp target map(tofrom: n)
    {
        void *next = &&there;
        goto *next;
    there:
        n++;
    }
    return n;
}
// expect: error 6:9 "a computed 'goto' leaves the 'target' region"
