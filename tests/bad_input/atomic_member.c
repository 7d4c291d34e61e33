struct pair {
    int a, b;
};
int f(_Atomic struct pair *p)
{
    int a;
#pragma omp target map(tofrom: p[0:1]) map(from: a)
    a = p->a;
    return a;
}
// expect: error 8:9 "a member of an object of type '_Atomic struct pair', which is read as a whole, is not supported in device code"
