typedef union {
    int *i;
    float *f;
} either __attribute__((transparent_union));
static int is_null(either p)
{
    return p.i == 0;
}
int f(int n)
{
#pragma omp target map(tofrom: n)
    n = is_null(&n);
    return n;
}
// expect: error 7:12 "the transparent union 'either' is not supported"
