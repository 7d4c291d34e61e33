int f(int *a)
{
    extern int elsewhere;
#pragma omp declare target link(elsewhere)
#pragma omp target map(tofrom: a[0:1], elsewhere)
    a[0] = ++elsewhere;
    return a[0];
}
// expect: error 4:33 "'elsewhere' is not declared at file scope, where its address is needed"
