struct flags {
    unsigned low : 3, high : 20;
};
typedef struct flags anywhere __attribute__((aligned(1)));
int f(char *bytes)
{
    int old;
#pragma omp target map(tofrom: bytes[0:9]) map(from: old)
    {
        anywhere *p = (anywhere *)(bytes + 1);
        old = p->high;
        p->high = 5;
    }
    return old;
}
// expect: error 12:9 "a change of the bit-field 'high' of what need not be aligned is not supported in device code"
