struct record {
    char tag;
    int value __attribute__((packed));
};
int f(struct record *r)
{
    int sizes[2][sizeof(struct record)];
#pragma omp target map(tofrom: r[0:1]) map(from: sizes)
    sizes[1][0] = r->value++;
    return r->value;
}
// expect: error 3:9 "a packed member is not supported"
