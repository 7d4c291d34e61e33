struct pair {
    int a, b;
};
struct holder {
    int n;
    _Atomic struct pair all[4];
};
void f(struct holder *h)
{
#pragma omp target map(tofrom: h[0:1])
    h->n++;
}
// expect: error 6:25 "the member 'all', an array of '_Atomic struct pair', which not all compilers align alike, is not supported in device code"
