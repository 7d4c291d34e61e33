struct __attribute__((packed)) record {
    char c;
    struct {
        char d;
        int i;
    };
    _Float16 h;
};
void f(struct record *r)
{
#pragma omp target map(tofrom: r[0:1])
    r->h += 1;
}
// expect: error 3:12 "a member without a name of a packed struct that has a type of 16 bits is not supported in device code"
