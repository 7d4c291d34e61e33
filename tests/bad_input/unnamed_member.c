struct base {
    int a, b;
};
struct derived {
    struct base;
    int c;
};
int f(struct derived *d)
{
#pragma omp target map(tofrom: d[0:1])
    d->c++;
    return d->c;
}
// expect: error 5:12 "a member of type 'struct base' without a name is not supported"
