struct number {
    int kind;
    struct {
        int i;
        _Float16 h;
    };
};
void f(struct number *n)
{
#pragma omp target map(tofrom: n[0:1])
    n->h += 1;
}
// expect: error 5:18 "a member with a type of 16 bits, in a structure without a name, is not supported in device code"
