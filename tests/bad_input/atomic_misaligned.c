struct record {
    char tag;
    int value __attribute__((packed));
};
int f(struct record *r)
{
#pragma omp target map(tofrom: r[0:1])
    {
#pragma omp atomic
        r->value++;
    }
    return r->value;
}
// expect: error 9:13 "an atomic access to 'value', which is not aligned, is not supported"
